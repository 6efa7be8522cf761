import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '../../fs/absent'
import { isObjectKey } from '../key'
import type { ListedObject } from '../types'
import { partialOf } from './write-file'

/** Lists the objects in a directory, one subdirectory at a time. */
export async function* listFiles(
  directory: string,
  sizeOf: (key: string) => Promise<number | undefined>,
): AsyncGenerator<ListedObject> {
  for (const entry of await entriesOf(directory)) {
    const folder = entry.name
    // Not a link, whose target can belong to someone else, who would lose what is deleted there.
    if (!/^[0-9a-f]{2}$/.test(folder) || !entry.isDirectory()) continue
    for (const { name } of await entriesOf(join(directory, folder))) {
      const key = name.slice(0, 32)
      if (!isObjectKey(key)) continue
      if (name === partialOf(key)) yield { key, size: undefined }
      if (name !== key) continue
      const size = await sizeOf(key)
      if (size !== undefined) yield { key, size }
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(undefinedIfAbsent)) ?? []
}
