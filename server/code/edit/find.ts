import type { ServiceCtx } from '@/server/kernel/ctx'
import { findRefs } from '@/server/repos/storage'
import { type ReadableCode, withReading } from '../context'
import { cleanPath } from '../path'
import { findEntry, readDirectory } from '../tree/entries'
import type { FileState } from './schema'

/**
 * Returns what is at a path of a branch now, for a page that edits it.
 * @throws {DomainError} invalid if no file can have this path
 */
export async function findFileState(
  ctx: ServiceCtx,
  { git }: ReadableCode,
  { branch, path }: { branch: string; path: string },
): Promise<FileState> {
  return await withReading(ctx, async () => {
    const commit = (await findRefs(git, 'heads', [branch])).get(branch)?.id
    if (commit === undefined) return { commit: null, id: null }
    const clean = cleanPath(path)
    const entry = clean ? await findEntry(git, commit, clean) : undefined
    return { commit, id: entry && entry.type !== 'tree' ? entry.id : null }
  })
}

/**
 * Returns those of the paths at which a branch has something.
 * @throws {DomainError} invalid if no file can have one of the paths
 */
export async function findExisting(
  ctx: ServiceCtx,
  { git }: ReadableCode,
  { branch, paths }: { branch: string; paths: readonly string[] },
): Promise<string[]> {
  return await withReading(ctx, async () => {
    const commit = (await findRefs(git, 'heads', [branch])).get(branch)?.id
    if (commit === undefined) return []
    const namesIn = new Map<string, Set<string>>()
    const existing: string[] = []
    for (const path of paths) {
      const end = cleanPath(path).lastIndexOf('/')
      const folder = path.slice(0, Math.max(end, 0))
      let names = namesIn.get(folder)
      if (!names) {
        const found = await readDirectory(git, commit, folder)
        names = new Set(found?.entries.map(({ name }) => name))
        namesIn.set(folder, names)
      }
      if (names.has(path.slice(end + 1))) existing.push(path)
    }
    return existing
  })
}
