import { eachKeptRef } from './kept-refs'
import { findObjects } from './objects'
import type { Ref } from './ref-names'
import { linesFromGit } from './ref-text'
import { type GitOptions, readGit } from './run'
import { readStoredRefs } from './stored-refs'

export type { Ref }

const format = '--format=%(objectname) %(refname) %(symref)'

const highestFirst = ['--sort=-version:refname']

/** Sort options of Git. Tags of the same time are sorted by version, highest first. */
const sorting = {
  newest: {
    'refs/heads/': ['--sort=-committerdate'],
    'refs/tags/': [...highestFirst, '--sort=-creatordate'],
  },
  version: { 'refs/heads/': highestFirst, 'refs/tags/': highestFirst },
}

/**
 * Suffixes in the names of pre-releases, such as `v1.0-rc1` and `1.0rc1`, which sort before the release
 * itself.
 */
const settings = {
  'versionsort.suffix': [
    '-',
    '~',
    '.dev',
    '.alpha',
    '.beta',
    '.pre',
    '.rc',
    'dev',
    'alpha',
    'beta',
    'pre',
    'rc',
  ],
}

/**
 * Calls `take` with each branch or tag of a repository. A list of up to 5,000 that has not changed since the
 * last call is not read again (`kept-refs.ts`); otherwise they are passed on as Git lists them. Refs are sorted by
 * time, newest first, or by version, highest first: 1.10 comes before 1.9, and 1.10 before 1.10-rc1.
 * @throws {GitTimeout} after `timeoutMs` milliseconds
 */
export function eachRefSorted(
  repository: string,
  prefix: 'refs/heads/' | 'refs/tags/',
  { by, timeoutMs }: { by: keyof typeof sorting; timeoutMs: number },
  take: (ref: Ref) => void,
): Promise<void> {
  const args = [...sorting[by][prefix], '--', prefix]
  const list = (each: (ref: Ref, isSymbolic: boolean) => void): Promise<void> =>
    forEachRef({ repository, timeoutMs, settings }, args, each)
  return eachKeptRef({ repository, prefix, order: by }, list, take)
}

/**
 * Calls `take` with each ref below prefixes such as `refs/heads/`, sorted by name, as Git lists them, without
 * buffering the list. A full ref name is also a valid prefix.
 */
export function eachRef(
  repository: string,
  prefixes: string | readonly string[],
  take: (ref: Ref) => void,
  signal?: AbortSignal,
): Promise<void> {
  return forEachRef({ repository, signal }, ['--', ...[prefixes].flat()], take)
}

async function forEachRef(
  where: Pick<GitOptions, 'repository' | 'timeoutMs' | 'signal' | 'settings'>,
  args: readonly string[],
  take: (ref: Ref, isSymbolic: boolean) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  await readGit(['for-each-ref', format, ...args], where, chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(10)
    rest = bytes.subarray(end + 1)
    if (end < 0) return
    for (const line of linesFromGit(bytes.subarray(0, end))) {
      const [id = '', ref = '', target] = line.split(' ')
      take({ id, ref }, Boolean(target))
    }
  })
}

/** Returns the ref with exactly this full name, or undefined if it does not exist. */
export async function oneRef(repository: string, ref: string): Promise<Ref | undefined> {
  if (!isPlain.test(ref)) return await listedRef(repository, ref)
  const [stored] = await readStoredRefs(repository, [ref])
  if (stored !== undefined) return stored === null ? undefined : { ref, id: stored }
  const [found, ...others] = await findObjects(
    repository,
    readings.map(([before, after]) => before + ref + after),
  )
  if (!found) return undefined
  const isExact = others.every(other => other === undefined)
  return isExact ? { ref, id: found.sha } : await listedRef(repository, ref)
}

// Git reads other names as expressions, such as `refs/heads/main~1`, or as what `git describe` returns.
const isPlain = /^refs\/(?!.*(?:\.\.|@\{|-g[0-9a-f]{4,}$))[^\0-\x20\x7f~^:?*[\\]+$/u

// What Git takes a name for if no ref has exactly this name.
const readings = [
  ['', ''],
  ['refs/', ''],
  ['refs/tags/', ''],
  ['refs/heads/', ''],
  ['refs/remotes/', ''],
  ['refs/remotes/', '/HEAD'],
] as const

async function listedRef(repository: string, ref: string): Promise<Ref | undefined> {
  let found: Ref | undefined
  // Git also returns all refs below a directory of this name. If the ref itself exists, it is the first and
  // only one.
  const args = ref.isWellFormed() ? ['--count=1', '--', ref] : ['--', argumentFor(ref)]
  await forEachRef({ repository }, args, each => {
    if (each.ref === ref) found = each
  })
  return found
}

/**
 * Returns a prefix with which `eachRef` includes the given ref. This is the full ref name, unless it contains
 * invalid UTF-8, which cannot be passed as an argument; the prefix is then shorter and can include other
 * refs, too.
 */
export const argumentFor = (ref: string): string =>
  ref.isWellFormed() ? ref : ref.slice(0, ref.slice(0, ref.search(/[\udc80-\udcff]/u)).lastIndexOf('/') + 1)
