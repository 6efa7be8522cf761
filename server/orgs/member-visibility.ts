import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import { isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { explainGone } from '@/server/users'
import { getOrg } from './find'
import { lockOrg } from './lock'
import { findMember, updateMember } from './member-store'

interface MemberInput {
  org: string
  username: string
}

/**
 * Shows a membership to everybody who may see the organization: one's own, for owners anybody's.
 * Throws notFound also for somebody who is no member, forbidden.
 */
export async function publishMember(ctx: UserCtx, input: MemberInput): Promise<void> {
  await setVisibility(ctx, input, true)
}

/** The opposite: shows a membership to other members only. */
export async function concealMember(ctx: UserCtx, input: MemberInput): Promise<void> {
  await setVisibility(ctx, input, false)
}

async function setVisibility(ctx: UserCtx, input: MemberInput, isPublic: boolean): Promise<void> {
  const { org, access } = await getOrg(ctx, input.org)
  const account = await findPersonByName(ctx.db, input.username)
  const own = account !== undefined && isSelf(ctx.caller, account.id)
  if (!own && !access.mayManage) throw forbidden('Cannot change member visibility')
  if (!account) throw notFound()
  try {
    await change(ctx, org, account, isPublic)
  } catch (error) {
    throw explainGone(error)
  }
}

async function change(ctx: UserCtx, org: Account, account: Account, isPublic: boolean): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    await lockOrg(trx, org.id)
    const member = await findMember(trx, org.id, account.id)
    if (!member) throw notFound()
    if (member.is_public === isPublic) return
    await updateMember(trx, org.id, account.id, isPublic)
    const kind = isPublic ? 'org.member_published' : 'org.member_concealed'
    await recordEvent(ctx, trx, { kind, ownerId: org.id, facts: { member: account.name } })
  })
}
