import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { notFound } from '../../errors'
import { undefinedIfAbsent } from '../../fs/absent'
import { writeFileAtomic } from '../../fs/atomic-write'
import { makeDirectory, syncPath } from '../../fs/fsync'
import type { ByteRange, Part } from '../types'
import type { BackgroundSync } from './background-sync'

const mib = 1024 * 1024

/** Parts of a composed object, in order: number and size in bytes. */
type Manifest = [part: number, size: number][]

export const partPath = (folder: string, part: number): string => join(folder, String(part))
const manifestName = 'manifest'
const manifestPath = (folder: string): string => join(folder, manifestName)

/**
 * Composes uploaded parts into one object: writes a manifest into the directory `from`, deletes unused files,
 * and renames the directory to `to`, which makes the object visible. Idempotent.
 * @throws {DomainError} notFound if a part is missing.
 */
export async function composeDirectory(
  from: string,
  to: string,
  parts: readonly Part[],
  background: BackgroundSync,
): Promise<void> {
  const isDone = async () => (await stat(to).catch(undefinedIfAbsent)) !== undefined
  if (await isDone()) return
  try {
    await compose(from, to, parts, background)
  } catch (error) {
    // Another process did it at the same time.
    if (!(await isDone())) throw error
  }
}

async function compose(
  from: string,
  to: string,
  parts: readonly Part[],
  background: BackgroundSync,
): Promise<void> {
  if (parts.length === 0) await makeDirectory(from)
  const present = new Set(await readdir(from).catch(undefinedIfAbsent))
  const used = new Set(parts.map(({ part }) => String(part)))
  for (const name of used) if (!present.has(name)) throw notFound('a part of the object is missing')
  // Another process may be doing the same; its manifest is equal. A part that is still arriving may have no
  // final name yet.
  const unused = [...present].filter(name => !used.has(name) && !name.startsWith(manifestName))
  for (const name of unused) await rm(join(from, name), { force: true })
  await background.finish(from, used)
  const sizes = new Map<number, number>()
  for (const { part } of parts) if (!sizes.has(part)) sizes.set(part, (await stat(partPath(from, part))).size)
  const manifest: Manifest = []
  for (const { part, size } of parts) {
    const present = sizes.get(part) ?? 0
    // The system stopped before the part was durable.
    if (size !== undefined && size !== present) throw notFound('a part of the object is missing')
    manifest.push([part, present])
  }
  await writeFileAtomic(manifestPath(from), JSON.stringify(manifest))
  await makeDirectory(dirname(to))
  await rename(from, to)
  await syncPath(dirname(to))
  await syncPath(dirname(from))
}

/**
 * Returns the manifest of an object that was composed of uploaded parts: the number and size of each part, in
 * order. Older objects have no manifest file and consist of all parts in the order of their numbers.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestPath(folder), 'utf8').catch(undefinedIfAbsent)
  if (text !== undefined) return JSON.parse(text)
  const count = (await readdir(folder)).length
  const parts = Array.from({ length: count }, async (_, part): Promise<Manifest[number]> => {
    const { size } = await stat(partPath(folder, part))
    return [part, size]
  })
  return await Promise.all(parts)
}

export async function* readComposed(
  folder: string,
  manifest: Manifest,
  { start, end }: ByteRange = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (const [part, size] of manifest) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, size - 1)]
    offset += size
    if (from > to) continue
    const file = await open(partPath(folder, part), 'r')
    yield* file.createReadStream({ start: from, end: to, highWaterMark: mib })
  }
}
