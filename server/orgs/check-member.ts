import { findPersonByName } from '@/server/kernel/auth/find-account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { loadOrganization, type OrganizationWithAccess } from './find'
import type { MembersShown } from './member-list-store'
import { findMember } from './member-store'
import { membersShown } from './policy'

interface MemberInput {
  org: string
  username: string
}

/**
 * Returns when the person named is in the organization, to whoever does not see all members only if they are there
 * publicly. Throws notFound otherwise, with the same words for every reason.
 */
export async function checkMember(ctx: ServiceCtx, input: MemberInput): Promise<void> {
  const found = await loadOrganization(ctx, input.org, 'view')
  await check(ctx, found, input.username, membersShown(ctx.caller, found))
}

/** Returns when the person named is publicly in the organization. Throws notFound otherwise. */
export async function checkPublicMember(ctx: ServiceCtx, input: MemberInput): Promise<void> {
  await check(ctx, await loadOrganization(ctx, input.org, 'view'), input.username, 'public')
}

async function check(
  ctx: ServiceCtx,
  { org }: OrganizationWithAccess,
  username: string,
  shown: MembersShown,
): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  const member = account && (await findMember(ctx.db, org.id, account.id))
  if (!member || (shown === 'public' && !member.is_public)) throw notFound()
}
