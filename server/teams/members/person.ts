import { requirePublic } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isOrgMember } from '@/server/orgs'
import { ifVisible } from '@/server/users'

/**
 * Whom a call about a team names: somebody the caller may see, or a member of its organization who went into hiding.
 * Throws notFound with one answer for "absent", "hidden" and "an organization", forbidden for a token limited to public
 * data when the account is not public.
 */
export async function getTeamPerson(ctx: UserCtx, orgId: number, name: string): Promise<Account> {
  const person = await findPersonByName(ctx.db, name)
  if (!person) throw notFound()
  const isMember = await isOrgMember(ctx.db, orgId, person.id)
  if (!isMember && !(await ifVisible(ctx, person))) throw notFound()
  requirePublic(ctx.caller, 'users', person.visibility === 'public')
  return person
}
