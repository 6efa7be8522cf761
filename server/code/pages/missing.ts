import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { shownName } from '@/server/kernel/git/ref-text'
import type { RepoPath } from '@/server/repos/schema'
import { withCode } from '../context'
import { type Asked, locationOf } from './location'
import type { MissingCode } from './schema'

/**
 * Returns what a path that leads nowhere begins with: a revision, and the rest of the path; or no revision. `path`
 * begins with a revision of this kind.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function explainMissing(ctx: ServiceCtx, input: RepoPath & Asked): Promise<MissingCode> {
  return await withCode(ctx, input, async code => {
    try {
      const { revision, path } = await locationOf(code, input)
      return { revision, path: shownName(path) }
    } catch (error) {
      if (!isDomainError(error) || error.kind !== 'notFound') throw error
      return { revision: null, path: shownName(input.path) }
    }
  })
}
