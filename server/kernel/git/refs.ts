import { linesFromGit } from './ref-text'
import { type GitOptions, readGit } from './run'

/** A ref by its full name, as `textFromGit` reads it, with the id of the object it names. */
export interface Ref {
  ref: string
  id: string
}

const format = '--format=%(objectname) %(refname)'

const highestFirst = ['--sort=-version:refname']

/** What git sorts by; of one time, tags have the highest version first. */
const sorting = {
  newest: {
    'refs/heads/': ['--sort=-committerdate'],
    'refs/tags/': [...highestFirst, '--sort=-creatordate'],
  },
  version: { 'refs/heads/': highestFirst, 'refs/tags/': highestFirst },
}

/** What follows the number of a release in the names of those before it, as in `v1.0-rc1` and `1.0rc1`. */
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
 * Calls `take` with every branch or tag without keeping them: the newest first, or the highest version first, of which
 * 1.10 is above 1.9 and 1.10 itself above 1.10-rc1.
 * @throws {GitTimeout} after `timeoutMs`.
 */
export function eachRefSorted(
  repository: string,
  prefix: 'refs/heads/' | 'refs/tags/',
  { by, timeoutMs }: { by: keyof typeof sorting; timeoutMs: number },
  take: (ref: Ref) => void,
): Promise<void> {
  return forEachRef({ repository, timeoutMs, settings }, [...sorting[by][prefix], '--', prefix], take)
}

/**
 * Calls `take` with every ref below prefixes such as `refs/heads/`, by name, without keeping them. A full name is a prefix
 * too.
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
  take: (ref: Ref) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  await readGit(['for-each-ref', format, ...args], where, chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(10)
    rest = bytes.subarray(end + 1)
    if (end < 0) return
    for (const line of linesFromGit(bytes.subarray(0, end))) take(parseLine(line))
  })
}

/** Finds the ref of exactly this full name. */
export async function oneRef(repository: string, ref: string): Promise<Ref | undefined> {
  let found: Ref | undefined
  // Git gives all below a directory of this name too. Where the ref itself is there, that is the first and only one.
  const args = ref.isWellFormed() ? ['--count=1', '--', ref] : ['--', argumentFor(ref)]
  await forEachRef({ repository }, args, each => {
    if (each.ref === ref) found = each
  })
  return found
}

/** What `eachRef` takes for a ref: arguments of programs are text, so one whose name is none is among all beside it. */
export const argumentFor = (ref: string): string =>
  ref.isWellFormed() ? ref : ref.slice(0, ref.slice(0, ref.search(/[\udc80-\udcff]/u)).lastIndexOf('/') + 1)

function parseLine(line: string): Ref {
  const gap = line.indexOf(' ')
  return { id: line.slice(0, gap), ref: line.slice(gap + 1) }
}
