import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { makingPath, repositoryPath } from '@/server/repos/storage'
import type { StoredFile } from '../index-file'
import type { BackupLocation } from '../location/location'
import { type Fetching, fetchFiles } from './fetch'

// Nothing else is written, so that no backup can write a file elsewhere.
const allowed =
  /^(?:HEAD|config|packed-refs|objects\/(?:pack\/pack-[0-9a-f]+\.(?:pack|idx|rev)|[0-9a-f]{2}\/[0-9a-f]{38,62}))$/

/**
 * Restores a repository below a directory, durably and as a whole: it is complete if it exists. Returns false
 * if it exists already.
 */
export async function restoreRepository(
  location: BackupLocation,
  { repositoryDir, key, files }: { repositoryDir: string; key: string; files: readonly StoredFile[] },
  fetching: Omit<Fetching, 'write'>,
): Promise<boolean> {
  const config = { repositoryDir }
  const directory = repositoryPath(config, key)
  if (await stat(directory).catch(undefinedIfAbsent)) return false
  const making = makingPath(config, key)
  await rm(making, { recursive: true, force: true })
  const folders = new Set([
    'objects/pack',
    'objects/info',
    'refs/heads',
    'refs/tags',
    ...files.map(([path]) => dirname(path)),
  ])
  for (const folder of folders) await makeDirectory(join(making, folder))
  await fetchFiles(location, files, {
    ...fetching,
    write: ([path], content) => writeFile(making, path, content),
  })
  for (const folder of folders) await syncPath(join(making, folder))
  await makeDirectory(dirname(directory))
  await rename(making, directory)
  await syncPath(dirname(directory))
  return true
}

async function writeFile(directory: string, path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  if (!allowed.test(path)) throw new Error(`the backup names a file that no repository has: ${path}`)
  if (path === 'config') return await writeFileSynced(join(directory, path), configLike(await text(content)))
  const file = await open(join(directory, path), 'w', path.startsWith('objects/') ? 0o444 : 0o600)
  try {
    await fill(file, content)
    await file.sync()
  } finally {
    await file.close()
  }
}

// Settings can name programs that Git runs, so only the format is taken from the backup.
function configLike(config: string): string {
  const isSha256 = /^\s*objectformat\s*=\s*sha256\s*$/im.test(config)
  const core = `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tfilemode = true\n\tbare = true\n`
  return isSha256 ? `${core}[extensions]\n\tobjectformat = sha256\n` : core
}

async function fill(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) await file.writeFile(chunk)
}
