import { units } from '@/server/access/units'
import type { UserCtx } from '@/server/kernel/ctx'
import { viewUser } from '@/server/users'
import { accessOfNamed } from './access-of-named'
import { pushRefusal } from './policy'
import type { AccessExplanation } from './schema'

/**
 * What the person named may do on each part of a repository, and why, and whether they can push at this moment. For
 * administrators of the repository, and about oneself.
 * @throws {DomainError} notFound, also for an unknown name, moved after a rename, forbidden.
 */
export async function explainAccess(
  ctx: UserCtx,
  input: { owner: string; repo: string; username: string },
): Promise<AccessExplanation> {
  const { person, access, repository } = await accessOfNamed(ctx, input, input.username)
  const reason = pushRefusal({ access, repository }, person)
  return {
    user: viewUser(ctx, person),
    mode: access.mode,
    push: { allowed: reason === null, reason },
    units: units.map(unit => {
      const { mode, reasons } = access.units[unit]
      return { unit, mode, reasons: [...reasons] }
    }),
  }
}
