import { requirePublic } from '@/server/access'
import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isOrgMember } from '@/server/orgs'
import { ifVisible } from '@/server/users'

/**
 * Finds the person named in a request about a team: someone visible to the caller, or any member of the
 * team's organization, even if hidden.
 * @throws {DomainError} notFound, with the same message in each case, if the name is unknown, hidden, or an
 * organization's; forbidden if the caller uses a public-only token and the account is not public.
 */
export async function getTeamPerson(ctx: UserCtx, orgId: number, name: string): Promise<Account> {
  const person = await findPersonByName(ctx.db, name)
  if (!person) throw notFound()
  const isMember = await isOrgMember(ctx.db, orgId, person.id)
  if (!isMember && !(await ifVisible(ctx, person))) throw notFound()
  requirePublic(ctx.caller, 'users', person.visibility === 'public')
  return person
}
