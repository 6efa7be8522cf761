import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { type DomainError, isDomainError, tooManyRequests } from '@/server/kernel/errors'
import { GitTimeout, runGit } from '@/server/kernel/git/run'
import { singleton } from '@/server/kernel/singleton'

/** Which commits are listed, newest first. The IDs are full commit IDs. */
export interface CommitsWanted {
  from: string
  /** Leaves out what can be reached from these commits. */
  not?: readonly string[]
  /** Only commits that changed this file or directory. */
  path?: string
  since?: Date
  until?: Date
  /** Only commits whose author, such as `Ada <ada@example.com>`, contains one of these texts, ignoring case. */
  authors?: readonly string[]
}

// What a walk from a commit finds never changes.
const kept = (): BoundedCache<readonly string[] | number> =>
  singleton('commit-walks', () => createBoundedCache({ maxSize: 8 * 1024 * 1024, maxAgeMs: 60 * 60_000 }))

const walkMs = 10_000
// Stands for a walk that took too long, which would take as long again.
const tooLong = -1
const maxBytes = 4 * 1024 * 1024
const bytesPerId = 100

/**
 * Lists the IDs of a part of the wanted commits.
 * @throws {DomainError} tooManyRequests if the walk takes more than ten seconds
 */
export async function walkCommits(
  repository: string,
  wanted: CommitsWanted,
  { offset, limit }: { offset: number; limit: number },
): Promise<readonly string[]> {
  const args = [`--skip=${offset}`, `--max-count=${limit}`, ...argumentsFor(wanted)]
  const ids = await remembered(`${repository} ${JSON.stringify(args)}`, async () =>
    (await walk(repository, args)).split('\n').filter(Boolean),
  )
  return ids as readonly string[]
}

/**
 * Counts the wanted commits.
 * @throws {DomainError} tooManyRequests if the walk takes more than ten seconds
 */
export async function countCommits(repository: string, wanted: CommitsWanted): Promise<number> {
  const args = ['--count', ...argumentsFor(wanted)]
  return (await remembered(`${repository} ${JSON.stringify(args)}`, async () =>
    Number(await walk(repository, args)),
  )) as number
}

async function remembered(
  key: string,
  find: () => Promise<readonly string[] | number>,
): Promise<readonly string[] | number> {
  const known = kept().get(key)
  if (known === tooLong) throw walkTooLong()
  if (known !== undefined) return known
  const found = await find().catch(error => {
    if (isDomainError(error)) kept().set(key, tooLong, key.length + bytesPerId)
    throw error
  })
  kept().set(key, found, key.length + bytesPerId * (typeof found === 'number' ? 1 : found.length + 1))
  return found
}

async function walk(repository: string, args: readonly string[]): Promise<string> {
  try {
    return await runGit(['rev-list', ...args], { repository, timeoutMs: walkMs, maxBytes })
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error
    throw walkTooLong()
  }
}

function argumentsFor({ from, not = [], path, since, until, authors = [] }: CommitsWanted): string[] {
  return [
    ...(since ? [`--since=${seconds(since)}`] : []),
    ...(until ? [`--until=${seconds(until)}`] : []),
    ...(authors.length > 0 ? ['--fixed-strings', '--regexp-ignore-case'] : []),
    ...authors.map(text => `--author=${text}`),
    from,
    ...not.map(id => `^${id}`),
    ...(path ? ['--', `:(top,literal)${path}`] : []),
  ]
}

const walkTooLong = (): DomainError =>
  tooManyRequests('the history is too long to be searched for this; ask for a smaller part of it', 60)

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
