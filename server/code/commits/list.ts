import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, notFound, unprocessable } from '@/server/kernel/errors'
import { parseCommit } from '@/server/kernel/git/commit'
import { findObjects, readObjects } from '@/server/kernel/git/objects'
import { findCommitish, type Revision } from '@/server/kernel/git/revision'
import { offsetOf, type Page } from '@/server/kernel/pagination'
import { requireSignInIfExpensive } from '@/server/repos'
import { loadCode, type ReadableCode, withReading } from '../context'
import { cleanPath } from '../path'
import type { Commit, ListCommitsInput } from '../schema'
import { viewCommits } from './view'
import { type CommitsWanted, countCommits, walkCommits } from './walk'

/**
 * Lists a page of the commits that can be reached from a revision, newest first.
 * @throws {DomainError} notFound for an unknown revision and for a path that no commit changed; conflict if the
 * repository is empty; unprocessable for an invalid time; tooManyRequests if the walk takes too long; moved
 * after a rename; forbidden without read access to the code; unauthenticated for more than the newest commits of a
 * branch or tag if the site reserves these.
 */
export async function listCommits(ctx: ServiceCtx, input: ListCommitsInput): Promise<Page<Commit>> {
  const code = await loadCode(ctx, input)
  if (code.repository.is_empty) throw conflict('Git Repository is empty.')
  const { page, limit } = input
  return await withReading(ctx, async () => {
    const wanted = await wantedBy(ctx, code, input)
    const [total, ids] = [
      await countCommits(code.git, wanted),
      await walkCommits(code.git, wanted, { offset: offsetOf(input), limit }),
    ]
    if (wanted.path && total === 0) throw notFound(`no commit changed "${wanted.path}"`)
    return { page, limit, total, items: await readCommits(ctx, code, ids, input) }
  })
}

async function wantedBy(
  ctx: ServiceCtx,
  code: ReadableCode,
  input: ListCommitsInput,
): Promise<CommitsWanted> {
  const from = await requireCommitish(code, input.sha || code.repository.default_branch)
  if (input.page > 1 || from.kind === 'commit') requireSignInIfExpensive(ctx)
  const not = input.not ? [(await requireCommitish(code, input.not)).commit] : []
  const path = cleanPath(input.path ?? '')
  const [since, until] = [timeOf('since', input.since), timeOf('until', input.until)]
  return {
    from: from.commit,
    not,
    ...(path && { path }),
    ...(since && { since }),
    ...(until && { until }),
  }
}

/**
 * Reads commits by their IDs and converts them to their REST API form.
 */
export async function readCommits(
  ctx: ServiceCtx,
  code: ReadableCode,
  ids: readonly string[],
  parts: Parameters<typeof viewCommits>[3],
): Promise<Commit[]> {
  const objects = await readObjects(code.git, ids)
  const commits = objects.flatMap(object => (object ? [parseCommit(object)] : []))
  return await viewCommits(ctx, code, commits, parts)
}

/**
 * Finds the commit that a tag, branch, full ref name, or the beginning of an ID names.
 * @throws {DomainError} notFound
 */
export async function requireCommitish({ git }: ReadableCode, name: string): Promise<Revision> {
  const revision = await findCommitish(git, name)
  if (!revision) throw notFound(`no branch, tag, or commit is named "${name}"`)
  return revision
}

// Warm readers take each step, so their number is limited.
const steps = /^(?:[~^]\d{0,3}){1,5}$/

/**
 * Finds a commit like `requireCommitish`, also by its distance from one, as in `main~3` or `main^2`.
 * @throws {DomainError} notFound
 */
export async function requireCompared(code: ReadableCode, name: string): Promise<Revision> {
  const at = name.search(/[~^]/)
  if (at < 0) return await requireCommitish(code, name)
  const start = await requireCommitish(code, name.slice(0, at))
  const [commit] = steps.test(name.slice(at))
    ? await findObjects(code.git, [`${start.commit}${name.slice(at)}^{commit}`])
    : []
  if (!commit) throw notFound(`no commit is named "${name}"`)
  return { commit: commit.sha, kind: 'commit', name: commit.sha }
}

const timeForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

function timeOf(field: 'since' | 'until', text: string | undefined): Date | undefined {
  if (!text) return undefined
  const date = timeForm.test(text) ? new Date(text) : undefined
  if (date && !Number.isNaN(date.getTime())) return date
  throw unprocessable(`${field} must be a time such as 2026-01-31T12:00:00Z`, { field })
}
