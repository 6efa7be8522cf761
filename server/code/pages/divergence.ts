import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RepoPath } from '@/server/repos/schema'
import { findRefs } from '@/server/repos/storage'
import { countDivergence } from '../ahead-behind/count'
import { loadCode, withReading } from '../context'
import type { DivergenceInput, Divergences } from './schema'

// The page is shown without the counts, and gets them afterward.
const waitMs = 20
const fullWaitMs = 30_000

/**
 * Returns by how many commits branches are ahead of and behind the default branch, in the order of their names; null
 * for the default branch, for those that do not exist, and for what is not counted in time.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code; tooManyRequests if
 * Git is overloaded.
 */
export async function showDivergence(
  ctx: ServiceCtx,
  { branches, waits, ...path }: RepoPath & DivergenceInput,
): Promise<Divergences> {
  const { git: repository, repository: row } = await loadCode(ctx, path)
  const main = row.default_branch
  const refs = row.is_empty
    ? new Map()
    : await withReading(ctx, () => findRefs(repository, 'heads', [main, ...branches]))
  const base: string | undefined = refs.get(main)?.id
  const tips = branches.map((name): string | undefined => (name === main ? undefined : refs.get(name)?.id))
  const wanted = tips.filter(tip => tip !== undefined)
  if (base === undefined || wanted.length === 0) return { counts: tips.map(() => null), isFinal: true }
  const asked = { repository, base, tips: wanted }
  const { counts, isFinal } = await countDivergence(ctx, asked, waits ? fullWaitMs : waitMs)
  return { counts: tips.map(tip => counts.get(tip ?? '') ?? null), isFinal }
}
