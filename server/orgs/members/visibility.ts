import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { type Account, findPersonByName } from '@/server/kernel/account'
import { isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, forbidden, notFound } from '@/server/kernel/errors'
import { mapForeignKeyError } from '@/server/users'
import { loadOrganization } from '../load'
import { lockOrg } from '../store'
import { findMember, updateMember } from './store'

interface MemberInput {
  org: string
  username: string
}

/**
 * Shows a membership to everybody who may see the organization: one's own; for owners, those of people whose account
 * is public.
 * @throws {DomainError} notFound for somebody who is no member; forbidden.
 */
export async function publishMember(ctx: UserCtx, input: MemberInput): Promise<void> {
  await setVisibility(ctx, input, true)
}

/**
 * Makes a membership visible to other members only: one's own; for owners, anybody's.
 * @throws {DomainError} notFound for somebody who is no member; forbidden.
 */
export async function concealMember(ctx: UserCtx, input: MemberInput): Promise<void> {
  await setVisibility(ctx, input, false)
}

async function setVisibility(ctx: UserCtx, input: MemberInput, isPublic: boolean): Promise<void> {
  const { org, access } = await loadOrganization(ctx, input.org, 'view')
  const account = await findPersonByName(ctx.db, input.username)
  const own = account !== undefined && isSelf(ctx.caller, account.id)
  if (!own && !access.mayManage) throw refused()
  if (!account) throw notFound()
  try {
    await change(ctx, org, account, isPublic)
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

async function change(ctx: UserCtx, org: Account, account: Account, isPublic: boolean): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    await lockOrg(trx, org.id)
    const member = await findMember(trx, org.id, account.id)
    if (!member) throw notFound()
    // Who hides their account decides alone who learns of it. Only now, as this tells that they are a member.
    if (isPublic && account.visibility !== 'public' && !isSelf(ctx.caller, account.id)) throw refused()
    if (member.is_public === isPublic) return
    await updateMember(trx, org.id, account.id, isPublic)
    const kind = isPublic ? 'org.member_published' : 'org.member_concealed'
    await recordEvent(trx, originOf(ctx), {
      kind,
      ownerId: org.id,
      facts: { memberId: account.id, member: account.name },
    })
  })
}

const refused = (): DomainError => forbidden('Cannot change member visibility')
