import type { ServiceCtx } from '@/server/kernel/ctx'
import { type FormerBranch, findFormerBranch } from '@/server/repos'
import type { ReadableCode } from './context'

// As many as a path can begin with.
const maxComponents = 20

/**
 * Finds the branch with whose former name a path begins, if the path can begin with a branch, and the rest of the path.
 * Only for paths that begin with no revision that exists.
 */
export async function findFormerIn(
  ctx: ServiceCtx,
  code: ReadableCode,
  { kind = 'any', path }: { kind?: string | undefined; path: string },
): Promise<(FormerBranch & { path: string }) | undefined> {
  if (kind !== 'branch' && kind !== 'any') return undefined
  const parts = path.split('/').slice(0, maxComponents)
  const names = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const found = await findFormerBranch(ctx, code, names)
  return found && { ...found, path: path.slice(found.from.length + 1) }
}
