import { readGit, runGit } from './run'

/** A ref by its full name, with the id of the object it names. */
export interface Ref {
  ref: string
  id: string
}

const format = '--format=%(objectname) %(refname)'

/** Orders refs by their newest commit; tags of one time by version, highest first. */
const newestFirst = {
  'refs/heads/': ['--sort=-committerdate'],
  'refs/tags/': ['--sort=-version:refname', '--sort=-creatordate'],
}

/**
 * Calls `take` with every branch or tag, newest first, without keeping them.
 * @throws {GitTimeout} after `timeoutMs`.
 */
export function eachRefNewestFirst(
  repository: string,
  prefix: keyof typeof newestFirst,
  timeoutMs: number,
  take: (ref: Ref) => void,
): Promise<void> {
  return forEachRef({ repository, timeoutMs }, [...newestFirst[prefix], '--', prefix], take)
}

/** Calls `take` with every ref below a prefix such as `refs/heads/`, by name, without keeping them. */
export function eachRef(
  repository: string,
  prefix: string,
  take: (ref: Ref) => void,
  signal?: AbortSignal,
): Promise<void> {
  return forEachRef({ repository, signal }, ['--', prefix], take)
}

async function forEachRef(
  where: { repository: string; timeoutMs?: number; signal?: AbortSignal | undefined },
  args: readonly string[],
  take: (ref: Ref) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  await readGit(['for-each-ref', format, ...args], where, chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(10)
    rest = bytes.subarray(end + 1)
    if (end < 0) return
    for (const line of bytes.toString('utf8', 0, end).split('\n')) take(parseLine(line))
  })
}

/** Finds the ref of exactly this full name. */
export async function oneRef(repository: string, ref: string): Promise<Ref | undefined> {
  // Git gives all below a directory of this name too. Where the ref itself is there, that is the first and only one.
  const line = await runGit(['for-each-ref', '--count=1', format, '--', ref], { repository })
  const found = parseLine(line.replace(/\n$/, ''))
  return found.ref === ref ? found : undefined
}

function parseLine(line: string): Ref {
  const gap = line.indexOf(' ')
  return { id: line.slice(0, gap), ref: line.slice(gap + 1) }
}
