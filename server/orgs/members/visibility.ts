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
 * Makes a membership public, so that everyone who can see the organization can see it. People can publish
 * their own membership; owners can publish those of people whose account is public.
 * @throws {DomainError} notFound if the person is not a member; forbidden if the caller cannot publish this
 * membership.
 */
export async function publishMember(ctx: UserCtx, input: MemberInput): Promise<void> {
  await setVisibility(ctx, input, true)
}

/**
 * Makes a membership private, so that only members of the organization can see it. People can conceal their
 * own membership; owners can conceal anyone's.
 * @throws {DomainError} notFound if the person is not a member; forbidden if the caller cannot conceal this
 * membership.
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
    // Only people with a hidden account decide who can see it. Checked last, because the error reveals that
    // the person is a member.
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
