import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { repositoryPath } from '@/server/repos/storage'
import type { NamedRepository } from '../contents'
import { inOrder } from '../in-order'
import type { StoredFile } from '../index-file'
import type { Copying } from './copying'
import { listRepository, type RepositoryFile, Unreadable, Vanished } from './repository-files'
import { storeFiles } from './store-files'

const concurrency = 2
const maxAttempts = 10

/** Copies repositories, and writes them to the index. Files that earlier backups have are not read again. */
export async function copyRepositories(
  copying: Copying,
  repositories: readonly NamedRepository[],
): Promise<void> {
  const { index, progress } = copying
  progress.begin('repositories', repositories.length)
  const known = async function* () {
    for (const named of repositories) yield { named, earlier: await copying.earlier.filesOf(named.key) }
  }
  const copies = inOrder(known(), concurrency, async ({ named, earlier }) => ({
    named,
    copy: await copyRepository(copying, named, earlier).catch(error => {
      // One damaged repository must not prevent backups of all others.
      if (error instanceof Unreadable) return { fault: error.message }
      throw error
    }),
  }))
  for await (const { named, copy } of copies) {
    const { id, key } = named
    const isMissing = 'fault' in copy
    await index.write({ repository: { id, key, ...(isMissing && { isMissing }) } })
    if (isMissing) copying.fault(`the repository ${key} ${copy.fault}`)
    else for (const file of copy.files) await index.write(file)
    await index.flush()
    progress.step()
  }
}

async function copyRepository(
  copying: Copying,
  { key, defaultBranch }: NamedRepository,
  earlier: Map<string, StoredFile>,
): Promise<{ files: StoredFile[] } | { fault: string }> {
  const repository = repositoryPath({ repositoryDir: copying.repositoryDir }, key)
  const refsFile = join(copying.workDir, `refs-${key}`)
  try {
    for (let attempt = 1; ; attempt++) {
      if (!(await stat(repository).catch(undefinedIfAbsent))) return { fault: 'is missing' }
      copying.signal.throwIfAborted()
      try {
        const files = await listRepository(repository, defaultBranch, refsFile)
        return { files: await copyFiles(copying, files, earlier) }
      } catch (error) {
        if (!(error instanceof Vanished)) throw error
        if (attempt === maxAttempts) return { fault: 'was repacked again and again' }
        await sleep(100 * attempt)
      }
    }
  } finally {
    await rm(refsFile, { force: true })
  }
}

async function copyFiles(
  copying: Copying,
  files: readonly RepositoryFile[],
  earlier: Map<string, StoredFile>,
): Promise<StoredFile[]> {
  const { location, progress, signal } = copying
  const present: StoredFile[] = []
  const wanted: RepositoryFile[] = []
  for (const file of files) {
    const before = earlier.get(file.path)
    const isSame = file.sha256 === undefined ? before?.[1] === file.size : before?.[2] === file.sha256
    if (before && isSame) present.push(before)
    else wanted.push(file)
  }
  const { stored } = await storeFiles(location, wanted, progress.bytes, signal)
  return [...present, ...stored]
}
