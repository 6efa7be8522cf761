import { type Asking, askThread, isTooMuch } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, isDomainError } from '@/server/kernel/errors'
import { findObjects, type GitObject, readObjects } from '@/server/kernel/git/objects'
import { oneRef } from '@/server/kernel/git/refs'
import { GitError, runGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { parseTree, type TreeEntry } from '@/server/kernel/git/tree'
import { workflowFolders as folders } from '@/server/repos'
import { repositoryPath } from '@/server/repos/storage'

/** Workflow file in a commit. */
export interface WorkflowFile {
  path: string
  /** Id of the file's blob. */
  sha: string
  /** Content of the file; absent if the file, or the number or total size of the files, exceeds the limit. */
  document?: string
}

/** Returns the file name of a workflow, which serves as its ID. */
export const fileOf = ({ path }: Pick<WorkflowFile, 'path'>): string => path.slice(path.lastIndexOf('/') + 1)

export interface WorkflowFiles {
  /** Id of the commit that contains the files. */
  commit: string
  files: WorkflowFile[]
}

export const maxFiles = 100
export const maxFileBytes = 512 * 1024
export const maxTotalBytes = 4 * 1024 * 1024
const timeoutMs = 20_000
const maxListBytes = 1024 * 1024

/**
 * Reads the workflow files of a commit, sorted by name. `revision` is a commit ID or the full name of a ref.
 * Undefined if there are none.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
 */
export async function readWorkflowFiles(
  ctx: ServiceCtx,
  storageKey: string,
  revision: string,
): Promise<WorkflowFiles | undefined> {
  const repository = repositoryPath(ctx.config, storageKey)
  return await withGitSlot(ctx, async () => {
    const id = revision.startsWith('refs/') ? (await oneRef(repository, revision))?.id : revision
    const entries = id ? await listWorkflows(repository, id) : []
    if (!id || entries.length === 0) return undefined
    let total = 0
    const isRead = ({ size }: Entry, index: number): boolean => {
      total += size
      return index < maxFiles && size <= maxFileBytes && total <= maxTotalBytes
    }
    const read = new Set(entries.filter(isRead))
    const names = [`${id}^{commit}`, ...[...read].map(entry => entry.sha)]
    const [commit, ...objects] = await readObjects(repository, names, maxFileBytes)
    if (!commit) return undefined
    const texts = new Map([...read].map((entry, index) => [entry, objects[index]?.text.toString('utf8')]))
    const files = entries.slice(0, maxFiles + 1).map(entry => {
      const document = texts.get(entry)
      return { path: entry.path, sha: entry.sha, ...(document === undefined ? {} : { document }) }
    })
    return { commit: commit.sha, files }
  })
}

/**
 * Whether a commit has workflow files.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
 */
export async function hasWorkflowFiles(
  ctx: ServiceCtx,
  storageKey: string,
  commit: string,
): Promise<boolean> {
  const repository = repositoryPath(ctx.config, storageKey)
  return (await withGitSlot(ctx, () => listWorkflows(repository, commit))).length > 0
}

/** Name and events of a workflow, for lists. */
interface WorkflowSummary {
  /** Name of the workflow, or else the path of its file. */
  name: string
  /** Events that start the workflow; null if the file cannot be read. */
  events: string[] | null
}

const maxKnown = 5000
const maxNameLength = 255
const maxEvents = 50
const known = new Map<string, WorkflowSummary>()

/**
 * Returns the name and events of a workflow. Each content is parsed only once, because long lists can be
 * requested repeatedly.
 */
export async function summaryBy(
  asking: Asking,
  { path, sha, document }: WorkflowFile,
): Promise<WorkflowSummary> {
  const summary = known.get(sha) ?? (await orTooMuch(readSummary(asking, document)))
  if (!summary) return { name: path, events: null }
  if (known.size > maxKnown) known.clear()
  if (document !== undefined) known.set(sha, summary)
  return { ...summary, name: summary.name || path }
}

/** What is wrong with a workflow, as far as that can be checked in advance. */
export interface WorkflowCheck {
  /** Whether the workflow can run. */
  isValid: boolean
  /** Whether anything can start the workflow, or another one can call it; true if it is invalid. */
  canStart: boolean
  /** Mistakes with line and column; those of a valid workflow keep only single events from starting it. */
  mistakes: string[]
  /** What has no effect in the events of a valid workflow, with line and column. */
  warnings: string[]
}

const knownChecks = new Map<string, WorkflowCheck>()
const maxShownMistakes = 5
const maxMistakeLength = 300

/** Checks whether a workflow can run. Each content is checked only once. */
export async function checkWorkflow(asking: Asking, { sha, document }: WorkflowFile): Promise<WorkflowCheck> {
  const unread = { isValid: false, canStart: true, mistakes: [], warnings: [] }
  if (document === undefined) return unread
  const check = knownChecks.get(sha) ?? (await orTooMuch(readMistakes(asking, document)))
  if (!check) return unread
  if (knownChecks.size > maxKnown) knownChecks.clear()
  knownChecks.set(sha, check)
  return check
}

// They are remembered for thousands of files.
const shownOf = (mistakes: readonly string[]): string[] => [
  ...new Set(mistakes.slice(0, maxShownMistakes).map(text => text.slice(0, maxMistakeLength).toWellFormed())),
]

async function readMistakes(asking: Asking, document: string): Promise<WorkflowCheck> {
  try {
    const { canStart, mistakes, warnings } = await askThread(asking, 'checkEvents', { document })
    return { isValid: true, canStart, mistakes: shownOf(mistakes), warnings: shownOf(warnings) }
  } catch (error) {
    if (isUnreadable(error))
      return {
        isValid: false,
        canStart: true,
        mistakes: shownOf(error.message.split('\n')),
        warnings: [],
      }
    throw error
  }
}

/** Returns the name and events of a workflow, even an invalid one; undefined if it cannot be read at all. */
export async function summarize(
  asking: Asking,
  document: string,
): Promise<{ name: string; events: string[] } | undefined> {
  try {
    return await askThread(asking, 'summarize', { document })
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** Whether an error is caused by the workflow itself and would recur. */
export const isUnreadable = (error: unknown): error is DomainError =>
  isDomainError(error) && error.kind === 'unprocessable' && !isTooMuch(error)

/**
 * Resolves to undefined if reading a workflow takes too much, in which case nothing is known about its
 * content.
 */
export async function orTooMuch<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isTooMuch(error)) return undefined
    throw error
  }
}

async function readSummary(asking: Asking, document = ''): Promise<WorkflowSummary> {
  const found = await summarize(asking, document)
  const short = (text: string): string => text.slice(0, maxNameLength).toWellFormed()
  return { name: short(found?.name ?? ''), events: found?.events.slice(0, maxEvents).map(short) ?? null }
}

interface Entry {
  path: string
  sha: string
  size: number
}

/** Lists the workflow files of a commit; of more than 100, only the first 101. */
async function listWorkflows(repository: string, id: string): Promise<Entry[]> {
  const paths = folders.map(folder => `${id}:${folder}`)
  try {
    const trees = await readObjects(repository, paths, maxListBytes)
    const listed = trees.map((tree, index) => (tree ? workflowsIn(tree, `${folders[index]}/`) : []))
    const found = (listed.find(entries => entries.length > 0) ?? []).slice(0, maxFiles + 1)
    const ids = found.map(({ sha }) => sha)
    const headers = await findObjects(repository, ids)
    return found.flatMap((entry, index) => {
      const header = headers[index]
      return header?.type === 'blob' ? [{ ...entry, size: header.size }] : []
    })
  } catch (error) {
    // The repository may have been deleted.
    if (error instanceof GitError && error.exitCode !== undefined) return []
    throw error
  }
}

const workflowsIn = (tree: GitObject, folder: string): Omit<Entry, 'size'>[] =>
  parseTree(tree)
    .entries.filter(isWorkflow)
    .map(({ name, id }) => ({ path: folder + name, sha: id }))

// Symbolic links are not workflows.
const isWorkflow = ({ mode, name }: TreeEntry): boolean =>
  mode.startsWith('100') && /.\.ya?ml$/s.test(name) && isName(name)

// In bytes: a longer name cannot be checked out on any common file system.
const maxNameBytes = 255

// Names that are not UTF-8 cannot be sent as JSON.
const isName = (name: string): boolean =>
  Buffer.byteLength(name) <= maxNameBytes && name.isWellFormed() && !name.includes('/')

const maxPathBytes = 256 * 1024

/**
 * Lists the paths that differ between a commit and the previous one or, without `before`, the point where its
 * branch left the default branch. Null if there is no such point or too many paths differ.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
 */
export async function readChangedPaths(
  ctx: ServiceCtx,
  storageKey: string,
  { commit, before, alongside }: { commit: string; before: string | undefined; alongside: string },
): Promise<string[] | null> {
  const repository = repositoryPath(ctx.config, storageKey)
  const limits = { repository, timeoutMs, maxBytes: maxPathBytes }
  const range = before === undefined ? [`${alongside}...${commit}`] : [before, commit]
  try {
    const list = await withGitSlot(ctx, () =>
      runGit(['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', ...range, '--'], limits),
    )
    return list.split('\0').filter(Boolean)
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}
