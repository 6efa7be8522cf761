import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { shownName } from '@/server/kernel/git/ref-text'
import { findCommitish } from '@/server/kernel/git/revision'
import { findFormerBranch } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { splitBasehead } from '../commits/get'
import { withCode } from '../context'
import { findFormerIn } from '../former-branch'
import { type Asked, locationOf } from './location'
import type { MissingCode, RenamedComparison } from './schema'

/**
 * Returns what a path that leads nowhere begins with: a revision, and the rest of the path; or no revision, with the present
 * name of the branch if it was renamed. `path` begins with a revision of this kind.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function explainMissing(ctx: ServiceCtx, input: RepoPath & Asked): Promise<MissingCode> {
  return await withCode(ctx, input, async code => {
    try {
      const { revision, path } = await locationOf(code, input)
      return { revision, path: shownName(path), renamed: null }
    } catch (error) {
      if (!isDomainError(error) || error.kind !== 'notFound') throw error
      const former = await findFormerIn(ctx, code, input)
      const renamed = former ? { ...former, path: shownName(former.path) } : null
      return { revision: null, path: shownName(input.path), renamed }
    }
  })
}

/**
 * Returns the address of a comparison under the present names of its branches, if one of them was renamed and both
 * exist now.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function findRenamedComparison(
  ctx: ServiceCtx,
  input: RepoPath & { basehead: string },
): Promise<RenamedComparison | null> {
  return await withCode(ctx, input, async code => {
    const { base, head, isDirect } = splitBasehead(input.basehead, code.repository.default_branch)
    const now = { base, head }
    let from: string | undefined
    for (const side of ['base', 'head'] as const) {
      if (await findCommitish(code.git, now[side])) continue
      const former = await findFormerBranch(ctx, code, [now[side]])
      if (!former) return null
      now[side] = former.to
      from ??= former.from
    }
    return from === undefined ? null : { ...now, isDirect, from }
  })
}
