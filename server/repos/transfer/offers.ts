import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import type { Offer, Offers } from './schema'
import { type OfferRow, selectReceived, selectSent } from './store'

/**
 * Lists the pending repository transfers that the caller can accept, for themselves or for an organization,
 * and those that the caller requested.
 */
export async function listOffers(ctx: UserCtx): Promise<Offers> {
  const { id } = ctx.caller.user
  const received = await selectReceived(ctx.db, id)
  const sent = await selectSent(ctx.db, id)
  return { received: received.map(viewOffer), sent: sent.map(viewOffer) }
}

const viewOffer = ({ created_at, ...row }: OfferRow): Offer => ({ ...row, created_at: wireTime(created_at) })
