import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { requireRoom } from '@/server/kernel/fs/disk-room'
import { makeDirectory, syncPath, syncTree } from '@/server/kernel/fs/fsync'
import { personLine } from '@/server/kernel/git/commit'
import type { Signature } from '@/server/kernel/git/object-text'
import { isRefName } from '@/server/kernel/git/ref-name'
import { runGit } from '@/server/kernel/git/run'
import { noteIntent } from './intent'
import { makingPath, repositoryPath, type StorageConfig } from './paths'
import { sizeKib } from './size'

export interface FirstCommit {
  message: string
  author: Signature
  /** File contents by path. */
  files: Record<string, string>
}

export interface NewBareRepository {
  storageKey: string
  objectFormat: 'sha1' | 'sha256'
  defaultBranch: string
  firstCommit?: FirstCommit
}

/**
 * Creates a bare repository on disk, together with an intent file, which marks an unfinished creation. The
 * repository is complete and flushed to disk when this returns, and does not exist if this throws. The caller
 * then inserts the database row and deletes the intent file. After an hour, the cleanup job removes
 * repositories that have an intent file but no database row.
 * @throws {DomainError} unavailable if the disk does not accept files; {GitError} if Git fails.
 */
export async function makeBareRepository(
  config: StorageConfig,
  { storageKey, objectFormat, defaultBranch, firstCommit }: NewBareRepository,
): Promise<{ sizeKib: number; branchCount: number }> {
  if (!isRefName(defaultBranch)) throw new Error('not a branch name')
  const directory = repositoryPath(config, storageKey)
  const making = makingPath(config, storageKey)
  await requireRoom(config.repositoryDir)
  await noteIntent(config, storageKey)
  await Promise.all([makeDirectory(dirname(directory)), makeDirectory(dirname(making))])
  try {
    await initRepository(making, objectFormat, defaultBranch)
    if (firstCommit) await commit(making, defaultBranch, firstCommit)
    await syncTree(making)
    await rename(making, directory)
    await syncPath(dirname(directory))
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw error
  }
  return { sizeKib: await sizeKib(directory), branchCount: firstCommit ? 1 : 0 }
}

async function initRepository(path: string, objectFormat: string, branch: string): Promise<void> {
  const form = [`--object-format=${objectFormat}`, `--initial-branch=${branch}`]
  await runGit(['init', '--quiet', '--bare', '--template=', ...form, '--', path])
}

async function commit(repository: string, branch: string, first: FirstCommit): Promise<void> {
  await runGit(['fast-import', '--quiet', '--done'], { repository, input: firstCommitStream(branch, first) })
}

/**
 * Formats the commit as input for `git fast-import`. Texts are prefixed with their length, so none can be
 * mistaken for a command.
 */
function firstCommitStream(branch: string, { message, author, files }: FirstCommit): Buffer {
  const person = personLine(author)
  return Buffer.concat([
    Buffer.from(`commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n`),
    data(message.endsWith('\n') ? message : `${message}\n`),
    ...Object.entries(files).flatMap(([path, content]) => [
      Buffer.from(`M 100644 inline ${quoted(path)}\n`),
      data(content),
    ]),
    Buffer.from('done\n'),
  ])
}

function data(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
