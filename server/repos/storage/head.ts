import type { ServiceCtx } from '@/server/kernel/ctx'
import { durableConfig } from '@/server/kernel/git/environment'
import { isRefName } from '@/server/kernel/git/ref-name'
import { runGit } from '@/server/kernel/git/run'
import { findRepositoryById, type RepositoryRow } from '../store'
import { repositoryPath, type StorageConfig } from './paths'

// Others may be setting it at this moment; git would give up after a tenth of a second.
const settings = { ...durableConfig, 'core.filesRefLockTimeout': '5000' }

/**
 * Points HEAD at the row's default branch, which need not exist. Call it after committing another default branch: each
 * call reads the row again once HEAD is set, so the last of several leaves both the same.
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
    // A repository deleted concurrently needs none.
    if (row && failure) throw failure.error
    if (row?.default_branch === set) return
  }
}

async function setHead(
  config: StorageConfig,
  { storage_key, default_branch }: Pick<RepositoryRow, 'storage_key' | 'default_branch'>,
): Promise<undefined> {
  if (!isRefName(default_branch)) throw new Error('not the name of a branch')
  const repository = repositoryPath(config, storage_key)
  await runGit(['symbolic-ref', 'HEAD', `refs/heads/${default_branch}`], { repository, settings })
}

/** Reads HEAD: the full name of the branch that clones check out, whether it exists or not. */
export async function readHead(repository: string): Promise<string> {
  return (await runGit(['symbolic-ref', 'HEAD'], { repository })).replace(/\n$/, '')
}
