import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, notFound } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import { shownName } from '@/server/kernel/git/ref-text'
import { GitError } from '@/server/kernel/git/run'
import type { TreeEntry } from '@/server/kernel/git/tree'
import type { RepoPath } from '@/server/repos/schema'
import { countCommits } from '../commits/walk'
import { withCode, withReading } from '../context'
import { type LastCommits, lastCommitsOf } from '../last-commits'
import { cleanPath } from '../path'
import { type Directory, findEntry, readDirectory } from '../tree/entries'
import { typeOf } from '../tree/entry-type'
import { readFile, renderReadme } from './file'
import { readCommitLines, readSummaries } from './lines'
import { type Asked, type CodeLocation, locationOf } from './location'
import type { CodePage, ShownEntry } from './schema'

type ShowInput = RepoPath & Asked & { source: boolean }

// Rendering more would hold up other requests.
const maxEntries = 600
// The page is shown without the commits of its entries, and gets them afterward.
const waitMs = 20
const fullWaitMs = 30_000

/**
 * Returns what the page of a directory or file shows. Without `kind`, that is the root of the default branch;
 * otherwise, `path` begins with a revision of this kind.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function showPath(ctx: ServiceCtx, input: ShowInput): Promise<CodePage> {
  return await withCode(ctx, input, async code => {
    const { revision, path } = await locationOf(code, input)
    const clean = cleanPath(path)
    const entry = clean ? await findEntry(code.git, revision.commit, clean) : undefined
    if (clean && !entry) throw notFound(`there is no file or directory "${clean}" at "${revision.name}"`)
    const isFile = entry !== undefined && entry.type !== 'tree'
    const folder = isFile ? undefined : await readDirectory(code.git, revision.commit, clean)
    if (!isFile && !folder) throw notFound()
    const location = { code, revision, path: clean }
    const shown = folder
      ? await viewDirectory(ctx, location, folder)
      : await viewFile(ctx, location, entry as TreeEntry, input)
    const { isFinal, tip } = await tipOf(ctx, location)
    return {
      revision,
      path: shownName(clean),
      tip,
      isComplete: shown.isFinal && isFinal,
      commits: await countOrNull(code.git, revision.commit),
      content: shown.content,
    }
  })
}

async function viewFile(
  ...args: Parameters<typeof readFile>
): Promise<{ content: CodePage['content']; isFinal: boolean }> {
  const content = await readFile(...args)
  return { content, isFinal: isFinished(content.text) && isFinished(content.markdown) }
}

// A text that could not be highlighted or rendered for lack of resources is shown plain until it can be.
const isFinished = (text: { plain: string | null } | null): boolean => text?.plain !== 'unavailable'

async function viewDirectory(
  ctx: ServiceCtx,
  location: CodeLocation,
  { entries }: Directory,
): Promise<{ content: CodePage['content']; isFinal: boolean }> {
  const { code, revision, path } = location
  const shown = shownOf(entries)
  const folder = { repository: code.git, commit: revision.commit, path }
  const { commits: last, isFinal } = await lastCommitsOf(ctx, folder, waitMs)
  const summaries = await readSummaries(code.git, idsOf(last, shown))
  const readme = await renderReadme(ctx, location, entries)
  const content: CodePage['content'] = {
    kind: 'directory',
    entries: shown.map(
      (entry): ShownEntry => ({
        name: shownName(entry.name),
        type: typeOf(entry),
        at: entry.type === 'commit' ? entry.id.slice(0, 10) : null,
        last: summaries.get(last.get(entry.name) ?? '') ?? null,
      }),
    ),
    total: entries.length,
    readme,
  }
  return { content, isFinal: isFinal && isFinished(readme) }
}

// Directories come first, as people expect.
function shownOf(entries: Directory['entries']): Directory['entries'] {
  const folders = entries.filter(({ type }) => type === 'tree')
  return [...folders, ...entries.filter(({ type }) => type !== 'tree')].slice(0, maxEntries)
}

const idsOf = (last: LastCommits, shown: Directory['entries']): string[] =>
  shown.flatMap(({ name }) => last.get(name) ?? [])

/** The last commit that changed a file or directory, if it is known already or found at once. */
async function tipOf(
  ctx: ServiceCtx,
  { code, revision, path }: CodeLocation,
): Promise<{ tip: CodePage['tip']; isFinal: boolean }> {
  const lineOf = async (id: string | undefined): Promise<CodePage['tip']> =>
    id ? ((await readCommitLines(ctx, code.git, [id]))[0] ?? null) : null
  if (path === '') return { tip: await lineOf(revision.commit), isFinal: true }
  const end = path.lastIndexOf('/')
  const folder = { repository: code.git, commit: revision.commit, path: path.slice(0, Math.max(end, 0)) }
  const { commits, isFinal } = await lastCommitsOf(ctx, folder, waitMs)
  return { tip: await lineOf(commits.get(path.slice(end + 1))), isFinal }
}

async function countOrNull(git: string, from: string): Promise<number | null> {
  try {
    return await countCommits(git, { from })
  } catch (error) {
    // The files can be read although the history is damaged.
    if (isDomainError(error) || error instanceof GitError) return null
    throw error
  }
}

/**
 * Returns the last commits of the shown entries of a directory, by name, for which a page waits after it is shown.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function showLastCommits(
  ctx: ServiceCtx,
  input: RepoPath & { commit: string; path: string },
): Promise<Record<string, NonNullable<ShownEntry['last']>>> {
  const git = await withCode(ctx, input, async code => {
    const [header] = await findObjects(code.git, [input.commit])
    if (header?.type !== 'commit') throw notFound()
    return code.git
  })
  const path = cleanPath(input.path)
  const folder = { repository: git, commit: input.commit, path }
  const { commits } = await lastCommitsOf(ctx, folder, fullWaitMs)
  return await withReading(ctx, async () => {
    const shown = shownOf((await readDirectory(git, input.commit, path))?.entries ?? [])
    const summaries = await readSummaries(git, idsOf(commits, shown))
    return Object.fromEntries(
      shown.flatMap(({ name }) => {
        const summary = summaries.get(commits.get(name) ?? '')
        return summary ? [[shownName(name), summary]] : []
      }),
    )
  })
}
