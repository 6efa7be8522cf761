import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { undefinedIfAbsent } from '../fs/absent'
import { type NewObject, wholeOf } from './new-object'

/**
 * Writes small objects to files of their own, as Git does, each flushed to disk before it has its name.
 * @returns how many bytes the new files take
 */
export async function writeLooseObjects(repository: string, objects: readonly NewObject[]): Promise<number> {
  const sizes = await Promise.all(
    objects.map(object => writeLooseObject(join(repository, 'objects'), object)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

// As fast as without compression, because the disk writes less.
const level = 1

// Source: gitformat-loose(5).
async function writeLooseObject(objects: string, { id, type, content }: NewObject): Promise<number> {
  const path = join(objects, id.slice(0, 2), id.slice(2))
  if (await renew(path)) return 0
  const header = Buffer.from(`${type} ${content.size}\0`)
  const bytes = await promisify(deflate)(Buffer.concat([header, await wholeOf(content)]), { level })
  // Git deletes old files that begin like this.
  const temporary = join(objects, `tmp_obj_${randomUUID()}`)
  try {
    const file = await open(temporary, 'wx', 0o444)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await moveTo(path, temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return bytes.length
}

/** Marks an object as used now, so that Git does not prune it. Returns whether it exists. */
async function renew(path: string): Promise<boolean> {
  const now = new Date()
  return (await utimes(path, now, now).then(() => true, undefinedIfAbsent)) === true
}

async function moveTo(path: string, from: string): Promise<void> {
  try {
    await rename(from, path)
  } catch (error) {
    undefinedIfAbsent(error)
    // Another commit may have created it. A repository that was removed must not come back.
    await mkdir(dirname(path)).catch(undefinedIfPresent)
    await rename(from, path)
  }
}

function undefinedIfPresent(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
