import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { durableConfig } from '@/server/kernel/git/environment'
import { isRefName } from '@/server/kernel/git/ref-name'
import { runGit } from '@/server/kernel/git/run'
import { findRepositoryById, type RepositoryRow } from '../store'
import { repositoryPath, type StorageConfig } from './paths'

// Another process can be setting HEAD; by default, Git would give up waiting after 100 milliseconds.
const settings = { ...durableConfig, 'core.filesRefLockTimeout': '5000' }

/**
 * Sets HEAD to the default branch in the repository's database row, even if that branch does not exist. Call
 * this after committing a new default branch: each call reads the row again after setting HEAD, so HEAD
 * matches the row after concurrent calls.
 */
export async function followDefaultBranch(
  { db, config }: Pick<ServiceCtx, 'db' | 'config'>,
  id: number,
): Promise<void> {
  let row = await findRepositoryById(db, id)
  while (row) {
    const { default_branch: set } = row
    const failure = await setHead(config, row).catch((error: unknown) => ({ error }))
    row = await findRepositoryById(db, id)
    // A repository that was deleted concurrently needs no HEAD.
    if (row && failure) throw failure.error
    if (row?.default_branch === set) return
  }
}

async function setHead(
  config: StorageConfig,
  { storage_key, default_branch }: Pick<RepositoryRow, 'storage_key' | 'default_branch'>,
): Promise<undefined> {
  if (!isRefName(default_branch)) throw new Error('not a branch name')
  const repository = repositoryPath(config, storage_key)
  await runGit(['symbolic-ref', 'HEAD', `refs/heads/${default_branch}`], { repository, settings })
}

/**
 * Reads HEAD: the full ref name of the branch that clones check out, even if the branch does not exist.
 * @throws {GitError} if it is none
 */
export async function readHead(repository: string): Promise<string> {
  const text = await readFile(join(repository, 'HEAD'), 'utf8').catch(undefinedIfAbsent)
  const [, ref] = /^ref: (refs\/heads\/[^\n]+)\n$/.exec(text ?? '') ?? []
  // Repositories that store their refs otherwise have a file that stands for none.
  if (ref !== undefined && ref !== 'refs/heads/.invalid') return ref
  return (await runGit(['symbolic-ref', 'HEAD'], { repository })).replace(/\n$/, '')
}
