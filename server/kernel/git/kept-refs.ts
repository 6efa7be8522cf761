import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedCache, createBoundedCache } from '../bounded-cache'
import { singleton } from '../singleton'
import type { Ref } from './ref-names'

interface Kept {
  /** The file and directories in which Git stores these refs. */
  paths: readonly string[]
  /** What they looked like, and when this was seen first, as of `performance.now()`. */
  stamp: string
  since: number
  /** Absent until they are known to be what the stamp stands for. */
  refs?: readonly Ref[]
}

const maxRefs = 5_000
const maxPaths = 64
const maxAgeMs = 10 * 60_000

// File systems round the time of a change, so a second change that follows soon may not show.
const settledMs = 2_000

const kept = (): BoundedCache<Kept> =>
  singleton('kept-refs', () => createBoundedCache({ maxSize: 20 * maxRefs, maxAgeMs }))

/**
 * Calls `take` with each ref that `list` finds, without calling `list` if Git has stored no refs since: it
 * replaces the file `packed-refs`, and files in the directories of refs, by renaming, which changes the
 * directory. Lists of more than 5,000 refs, of refs that changed in the last two seconds, of symbolic refs,
 * and of repositories that store their refs otherwise are not kept.
 */
export async function eachKeptRef(
  { repository, prefix, order }: { repository: string; prefix: string; order: string },
  list: (take: (ref: Ref, isSymbolic: boolean) => void) => Promise<void>,
  take: (ref: Ref) => void,
): Promise<void> {
  const key = `${repository}/${prefix} ${order}`
  const before = await seen(key, repository, prefix)
  if (before?.refs) {
    for (const ref of before.refs) take(ref)
    return
  }
  const refs: Ref[] = []
  let isKept = before !== undefined && performance.now() - before.since > settledMs
  await list((ref, isSymbolic) => {
    isKept &&= !isSymbolic && refs.length < maxRefs
    if (isKept) refs.push(ref)
    take(ref)
  })
  if (before) kept().set(key, isKept ? { ...before, refs } : before, refs.length + 1)
}

/** Looks at where Git stores the refs, before they are read; undefined if they must not be kept. */
async function seen(key: string, repository: string, prefix: string): Promise<Kept | undefined> {
  const known = kept().get(key)
  if (!known) return await look(repository, prefix)
  const marks = await Promise.all(known.paths.map(path => markOf(repository, path)))
  return marks.join('\n') === known.stamp ? known : await look(repository, prefix)
}

async function look(repository: string, prefix: string): Promise<Kept | undefined> {
  const since = performance.now()
  const paths: string[] = []
  const marks: string[] = []
  const waiting = [prefix.replace(/\/$/, ''), 'refs', 'packed-refs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (paths.push(path) > maxPaths) return undefined
    // Before it is read, so that a directory that is created meanwhile changes the mark.
    const mark = await markOf(repository, path)
    marks.push(mark)
    if (!mark || !`${path}/`.startsWith(prefix)) continue
    const names = await foldersIn(join(repository, path))
    if (!names) return undefined
    for (const name of names) waiting.push(`${path}/${name}`)
  }
  return { paths, stamp: marks.join('\n'), since }
}

// It is a file in repositories that store their refs otherwise.
async function foldersIn(path: string): Promise<string[] | undefined> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  return entries?.filter(entry => entry.isDirectory()).map(({ name }) => name)
}

/** Returns what changes whenever a directory does, or a file is replaced; empty if there is none. */
async function markOf(repository: string, path: string): Promise<string> {
  const facts = await stat(join(repository, path), { bigint: true }).catch(() => undefined)
  return facts ? `${facts.dev} ${facts.ino} ${facts.ctimeNs} ${facts.mtimeNs}` : ''
}
