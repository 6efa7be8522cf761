import type { ActingCtx } from '@/server/kernel/ctx'
import { conflict, isDomainError, notFound, unprocessable } from '@/server/kernel/errors'
import { oneRef } from '@/server/kernel/git/refs'
import { GitError } from '@/server/kernel/git/run'
import {
  type Bytes,
  bytesOf,
  newObject,
  type ObjectWriter,
  startWriting,
} from '@/server/kernel/git/write-objects'
import { createPauses } from '@/server/kernel/pauses'
import {
  changeRefs,
  checkBranchName,
  type RefChange,
  type RepositoryFor,
  type writeCode,
} from '@/server/repos'
import { repositoryPath } from '@/server/repos/storage'
import { applyChange, type Change, prepareChanges } from './apply'
import { type CommitTexts, commitText, textsOf } from './commit-text'
import type { ChangeFile, CommitOptions } from './schema'
import { type Entry, openTree, type TreeEdit } from './tree-edit'

type Writable = RepositoryFor<typeof writeCode>

/** The files to change, and how to commit them. */
export interface FilesChange extends CommitOptions {
  files: readonly ChangeFile[]
  /** Long contents of files, by what they were replaced with. */
  spilled?: ReadonlyMap<string, Bytes> | undefined
}

/** A commit that has been made, and the branch that it was made on. */
export interface Committed extends CommitTexts {
  id: string
  tree: string
  parents: string[]
  branch: string
  /** What is at the path of each change, in order; undefined for deleted files. */
  files: { path: string; entry: Entry | undefined; isChanged: boolean }[]
}

// Each needs another push to win a race against this one.
const maxAttempts = 10

/**
 * Commits changes of files to a branch, and records this like a push by the caller. If another push moves the branch
 * meanwhile, the changes are applied to the new commit, as long as they still fit.
 * @throws {DomainError} notFound for a branch or file that does not exist; unprocessable if the branch does not have what
 * the changes expect, or Git refuses them; conflict if it no longer has it because of another push; alreadyExists for a
 * `new_branch` that exists; also the errors of `changeRefs`.
 */
export async function changeFiles(
  ctx: ActingCtx,
  { repository }: Writable,
  { files, spilled, ...options }: FilesChange,
): Promise<Committed> {
  const { id, object_format: format } = repository
  if (options.new_branch) checkBranchName(options.new_branch, 'new_branch')
  const changes = await prepareChanges(files, format, spilled)
  const texts = textsOf(ctx, options, changes)
  const isChecked = !changes.every(({ path }) => isOrdinary(path))
  const git = repositoryPath(ctx.config, repository.storage_key)
  const base = options.branch || repository.default_branch
  const seen = repository.is_empty ? undefined : await tipOf(git, base)
  const plan = async (isEmpty: boolean, writer: ObjectWriter): Promise<RefChange<Committed>> => {
    const target = await targetOf(git, { ...options, branch: base }, isEmpty)
    const tree = await openTree(git, target.base)
    try {
      await applyAll(tree, changes)
    } catch (error) {
      const isOutdated = isDomainError(error) && seen !== target.base && (await fits(git, seen, changes))
      throw isOutdated ? outdated(base, changes, error) : error
    }
    const { root, trees } = await tree.finish(format)
    const parents = target.base ? [target.base] : []
    const made = await newObject(format, 'commit', bytesOf(commitText(texts, { tree: root, parents })))
    const blobs = changes.flatMap(({ blob }) => blob ?? [])
    const before = target.before ?? '0'.repeat(made.id.length)
    const original = await openTree(git, target.base)
    const written = await Promise.all(
      changes.map(async ({ path }) => {
        const entry = await tree.find(path)
        return { path, entry, isChanged: entry?.id !== (await original.find(path))?.id }
      }),
    )
    return {
      write: () => writer.write([...blobs, ...trees, made]).catch(refused),
      updates: [{ ref: `refs/heads/${target.branch}`, before, after: made.id }],
      result: { ...texts, id: made.id, tree: root, parents, branch: target.branch, files: written },
    }
  }
  // If the branch turns out to exist, a first push has created it, and is not recorded yet.
  let mayBeEmpty = true
  const commit = (): Promise<Committed> =>
    changeRefs(ctx, id, async current => {
      // Git starts while the change is planned.
      const writer = startWriting(git, format, { isChecked })
      mayBeEmpty &&= current.repository.is_empty
      return await plan(mayBeEmpty, writer).catch(async error => {
        await writer.close()
        throw error
      })
    })
  for (let attempt = 1; ; attempt++) {
    try {
      return await commit()
    } catch (error) {
      if (!isDomainError(error) || attempt === maxAttempts) throw error
      const existsNow = mayBeEmpty && error.kind === 'alreadyExists'
      if (!existsNow && error.reason?.code !== 'refMoved') throw error
      mayBeEmpty = false
    }
  }
}

// Git checks the content of files such as `.gitmodules`. File systems know them by other names, too, such as `gitmod~1` and
// names with invisible characters. Everything else that Git checks, the trees and the text of the commit ensure themselves.
const isOrdinary = (path: string): boolean => /^[\w.+=@,/-]*$/.test(path) && !/git/i.test(path)

async function tipOf(git: string, branch: string): Promise<string | undefined> {
  return (await oneRef(git, `refs/heads/${branch}`))?.id
}

interface Target {
  branch: string
  /** The commit to change; undefined in an empty repository. */
  base: string | undefined
  /** The present tip of the branch; undefined if it is created. */
  before: string | undefined
}

async function targetOf(
  git: string,
  { branch: from, new_branch, force_push }: CommitOptions,
  isEmpty: boolean,
): Promise<Target> {
  const branch = new_branch || from
  if (isEmpty) {
    checkBranchName(branch, 'branch')
    return { branch, base: undefined, before: undefined }
  }
  const base = await tipOf(git, from)
  if (base === undefined) throw notFound(`there is no branch named "${from}"`, { field: 'branch' })
  if (branch === from) return { branch, base, before: base }
  const before = await tipOf(git, branch)
  if (before !== undefined && !force_push) {
    throw unprocessable(`a branch named "${branch}" already exists`, { field: 'new_branch' })
  }
  return { branch, base, before }
}

/** Returns whether changes would have been accepted on a commit. */
async function fits(git: string, commit: string | undefined, changes: readonly Change[]): Promise<boolean> {
  try {
    await applyAll(await openTree(git, commit), changes)
    return true
  } catch (error) {
    if (isDomainError(error)) return false
    throw error
  }
}

async function applyAll(tree: TreeEdit, changes: readonly Change[]): Promise<void> {
  const giveWay = createPauses()
  for (const change of changes) {
    await giveWay()
    await applyChange(tree, change)
  }
}

const outdated = (branch: string, [first]: readonly Change[], cause: Error): Error =>
  conflict(`another push changed ${branch} in the meantime: ${cause.message}`, {
    reason: { code: 'fileChanged', path: first?.path ?? '' },
    cause,
  })

function refused(error: unknown): never {
  // Git says why it refuses an object: `error: object 1234: hasDotgit: contains '.git'`.
  const [, reason] = error instanceof GitError ? (/object [0-9a-f]+: (\w+: .*)/.exec(error.stderr) ?? []) : []
  if (reason === undefined) throw error
  throw unprocessable(`Git refuses these files: ${reason}`, { cause: error })
}
