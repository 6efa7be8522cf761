import { availableParallelism } from 'node:os'
import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy } from '@/server/kernel/errors'
import type { FairLimit, FairLimits } from '@/server/kernel/fair-limit'
import { textFromGit } from '@/server/kernel/git/ref-text'
import { GitError, readGit } from '@/server/kernel/git/run'
import { createSharedFairLimit } from '@/server/kernel/processes/shared-fair-limit'
import { singleton } from '@/server/kernel/singleton'
import { readDirectory } from './tree/entries'

/** The ID of the last commit that changed each entry of a directory, by the name of the entry. */
export type LastCommits = ReadonlyMap<string, string>

/** What is known of the last commits of a directory's entries. */
interface FoundCommits {
  commits: LastCommits
  /** Whether the walk has ended, so that a later call finds no more. */
  isFinal: boolean
}

interface Walk {
  /** What has been found so far. */
  found: Map<string, string>
  /** Resolves when the walk has ended, whether it found everything or not. */
  ended: Promise<void>
}

interface State {
  known: BoundedCache<LastCommits>
  /** What walks found that took too long. */
  unfinished: BoundedCache<LastCommits>
  walking: Map<string, Walk>
  limit: FairLimit
}

const processors = availableParallelism()
const half = Math.ceil(processors / 2)
const limits: FairLimits = {
  concurrency: 2 * processors,
  maxQueue: 200,
  timeoutMs: 30_000,
  address: processors,
  anonymousAddress: half,
  anonymous: processors,
}

const state = (): State =>
  singleton('last-commits', () => ({
    known: createBoundedCache({ maxSize: 50 * 1024 * 1024, maxAgeMs: 24 * 60 * 60_000 }),
    unfinished: createBoundedCache({ maxSize: 5 * 1024 * 1024, maxAgeMs: 10 * 60_000 }),
    walking: new Map(),
    limit: createSharedFairLimit('last commits', limits, tooBusy),
  }))

const walkMs = 60_000
const bytesPerEntry = 200

/** A directory as of a commit, and the Git data of its repository. */
interface Location {
  repository: string
  commit: string
  path: string
}

/**
 * Returns the last commit that changed each entry of a directory, as of a commit. Walks the history for up to a
 * minute, with fair shares per client address, but returns after `waitMs` what has been found so far; a later call
 * returns the rest. Callers that wait for long must not hold a Git slot.
 */
export async function lastCommitsOf(
  client: Pick<ServiceCtx, 'caller' | 'remoteAddress' | 'noteIncomplete'>,
  location: Location,
  waitMs: number,
): Promise<FoundCommits> {
  const key = `${location.repository} ${location.commit}:${location.path}`
  const { known, unfinished, walking } = state()
  const before = known.get(key) ?? unfinished.get(key)
  if (before) return { commits: before, isFinal: true }
  const walk = walking.get(key) ?? begin(client, key, location)
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    walk.ended,
    new Promise(resolve => {
      timer = setTimeout(resolve, waitMs)
    }),
  ])
  clearTimeout(timer)
  const after = known.get(key) ?? unfinished.get(key)
  if (!after) client.noteIncomplete?.()
  return { commits: after ?? walk.found, isFinal: after !== undefined }
}

function begin(
  { caller, remoteAddress }: Pick<ServiceCtx, 'caller' | 'remoteAddress'>,
  key: string,
  location: Location,
): Walk {
  const { known, unfinished, walking, limit } = state()
  const found = new Map<string, string>()
  // Others can wait for the walk, so it goes on if this client leaves.
  const client = { address: remoteAddress, isAnonymous: isAnonymous(caller) }
  const ended = limit(client, () => walkHistory(location, found))
    .then(isComplete => {
      const cache = isComplete ? known : unfinished
      cache.set(key, found, sizeOf(found))
    })
    // An entry without a commit is shown without it.
    .catch(() => undefined)
    .finally(() => walking.delete(key))
  const walk = { found, ended }
  walking.set(key, walk)
  return walk
}

const sizeOf = (found: LastCommits): number =>
  [...found.keys()].reduce((size, name) => size + 2 * name.length + bytesPerEntry, bytesPerEntry)

const allFound = new Error('every entry has its commit')

/** Adds to `found`, and returns whether everything was found that can be. */
async function walkHistory(
  { repository, commit, path }: Location,
  found: Map<string, string>,
): Promise<boolean> {
  const folder = await readDirectory(repository, commit, path)
  if (!folder) return true
  const missing = new Set(folder.entries.map(({ name }) => name))
  const prefix = path === '' ? '' : `${path}/`
  const reader = new LogReader((id, changed) => {
    if (!changed.startsWith(prefix)) return
    const end = changed.indexOf('/', prefix.length)
    const name = changed.slice(prefix.length, end < 0 ? undefined : end)
    if (!missing.delete(name)) return
    found.set(name, id)
    if (missing.size === 0) throw allFound
  })
  const pathspec = path === '' ? [] : ['--', `:(top,literal)${path}`]
  const args = [
    'log',
    '-z',
    '--format=%x00%H',
    '--name-only',
    '--no-renames',
    '-c',
    '-t',
    commit,
    ...pathspec,
  ]
  try {
    await readGit(args, { repository, timeoutMs: walkMs }, chunk => reader.push(chunk))
  } catch (error) {
    if (error === allFound) return true
    if (error === tooLong) return false
    if (error instanceof GitError && error.exitCode === undefined) return false
    throw error
  }
  return true
}

const tooLong = new Error('a path is too long')
const maxPath = 64 * 1024
const nul = 0

/**
 * Reads `git log -z --format=%x00%H --name-only`: before each commit an empty text and its ID, and then the
 * names of the files that it changed.
 */
class LogReader {
  #rest: Buffer = Buffer.alloc(0)
  #id = ''
  #next: 'id' | 'first path' | 'path' = 'path'

  constructor(private readonly take: (id: string, path: string) => void) {}

  push(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let at = 0
    for (let end = bytes.indexOf(nul, at); end >= 0; end = bytes.indexOf(nul, at)) {
      this.#text(bytes.subarray(at, end))
      at = end + 1
    }
    this.#rest = bytes.subarray(at)
    if (this.#rest.length > maxPath) throw tooLong
  }

  #text(bytes: Buffer): void {
    if (bytes.length === 0) {
      this.#next = 'id'
      return
    }
    const text = textFromGit(bytes)
    const [what, next] = [this.#next, this.#next === 'id' ? 'first path' : 'path'] as const
    this.#next = next
    if (what === 'id') this.#id = text
    // A line feed separates the format from the names.
    else this.take(this.#id, what === 'first path' ? text.slice(1) : text)
  }
}
