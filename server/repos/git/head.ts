import { isRefName } from '@/server/kernel/git/ref-name'
import { runGit } from '@/server/kernel/git/run'
import { durable } from '@/server/kernel/git/settings'
import { repositoryPath, type StorageConfig } from './folders'

/** Makes a branch the one that clones check out; it need not exist yet. */
export async function setHead(config: StorageConfig, storageKey: string, branch: string): Promise<void> {
  if (!isRefName(branch)) throw new Error('not the name of a branch')
  const repository = repositoryPath(config, storageKey)
  await runGit(['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { repository, settings: durable })
}

/** The full name of the branch that clones check out, whether it exists or not. */
export async function readHead(repository: string): Promise<string> {
  return (await runGit(['symbolic-ref', 'HEAD'], { repository })).replace(/\n$/, '')
}
