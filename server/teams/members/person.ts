import { requirePublic } from '@/server/access'
import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isOrgMember } from '@/server/orgs'
import { ifVisible } from '@/server/users'

/**
 * Finds the person whom a call about a team names: one the caller may see, or a member of its organization, hidden or
 * not.
 * @throws {DomainError} notFound with one answer for unknown names, hidden people and organizations, forbidden for a
 * token limited to public data when the account is not public.
 */
export async function getTeamPerson(ctx: UserCtx, orgId: number, name: string): Promise<Account> {
  const person = await findPersonByName(ctx.db, name)
  if (!person) throw notFound()
  const isMember = await isOrgMember(ctx.db, orgId, person.id)
  if (!isMember && !(await ifVisible(ctx, person))) throw notFound()
  requirePublic(ctx.caller, 'users', person.visibility === 'public')
  return person
}
