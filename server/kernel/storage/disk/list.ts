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
  for (const folder of await namesIn(directory)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const name of await namesIn(join(directory, folder))) {
      const key = name.slice(0, 32)
      if (!isObjectKey(key)) continue
      if (name === partialOf(key)) yield { key, size: undefined }
      if (name !== key) continue
      const size = await sizeOf(key)
      if (size !== undefined) yield { key, size }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfAbsent)) ?? []
}
