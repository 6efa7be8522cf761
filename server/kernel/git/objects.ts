import { addAbortSignal } from 'node:stream'
import { type BoundedCache, createBoundedCache } from '../bounded-cache'
import { singleton } from '../singleton'
import type { Header } from './readers/answers'
import { askReaders } from './readers/ask'
import { readerPool } from './readers/pool'
import { GitError, GitTimeout } from './run'
import { streamObject } from './stream-object'
import { updateRefPool } from './update-ref'

/** A Git object, with its content truncated to a limit. */
export interface GitObject {
  sha: string
  type: string
  text: Buffer
  /** Whether `text` is the complete content. */
  isWhole: boolean
}

const defaultMaxText = 64 * 1024
// Larger objects have a process of their own, so that nobody else waits for them.
const maxRead = 1024 * 1024
// Git reads large commits, tags and trees as a whole even for their beginning, so this limits their total size.
const maxReadOfLarge = 64 * 1024 * 1024
const largeTimeoutMs = 60_000

// An object never changes, so what is found by an ID can be kept; a repository can lose it, but only in time.
const keptBytes = 32 * 1024 * 1024
const maxKeptText = 16 * 1024
const maxAgeMs = 10 * 60_000
// The parts of an entry besides the text, approximately.
const bytesPerEntry = 400

const kept = (): BoundedCache<GitObject> =>
  singleton('git-objects', () => createBoundedCache({ maxSize: keptBytes, maxAgeMs }))

const isById = /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?:\^\{\w*\})?$/

/**
 * Reads Git objects, in order; undefined for objects that do not exist. The content of each object is
 * truncated to `maxText` bytes, 64 KiB by default. It is empty for files above 1 MiB and for objects that Git
 * cannot read. `names` are object IDs, optionally with a suffix such as `^{}` or `:path`.
 * @throws {GitError} if Git fails; {DomainError} tooManyRequests if too many calls wait
 */
export async function readObjects(
  repository: string,
  names: readonly string[],
  maxText = defaultMaxText,
): Promise<(GitObject | undefined)[]> {
  const cache = kept()
  const known = new Map<string, GitObject | undefined>()
  for (const name of names) {
    const object = cache.get(`${repository} ${name}`)
    if (object) known.set(name, beginningOf(object, maxText))
  }
  const left = [...new Set(names)].filter(name => !known.has(name))
  const read = left.length > 0 ? await readAll(repository, left, maxText) : []
  for (const [index, name] of left.entries()) {
    const object = read[index]
    known.set(name, object)
    if (!object?.isWhole || !isKept(object.text.length) || !isById.test(name)) continue
    keepObject(repository, name, object)
  }
  return names.map(name => known.get(name))
}

const beginningOf = (object: GitObject, maxText: number): GitObject =>
  object.text.length <= maxText
    ? object
    : { ...object, text: object.text.subarray(0, maxText), isWhole: false }

/** Whether the content of an object is small enough to be kept in memory. */
export const isKept = (bytes: number): boolean => bytes <= maxKeptText

/**
 * Keeps an object in memory that has just been written, so that nobody has to read it. `name` is an ID that names this
 * object, optionally with a suffix such as `^{tree}`.
 */
export function keepObject(repository: string, name: string, object: GitObject): void {
  kept().set(`${repository} ${name}`, object, object.text.length + bytesPerEntry)
}

/**
 * Forgets what is known of a repository's objects, and ends its waiting Git commands: before it is removed, and after
 * it has lost packs, which the commands would keep on disk.
 */
export function forgetObjects(repository: string): void {
  readerPool().end(repository)
  updateRefPool().end(repository)
  kept().removeBelow(`${repository} `)
}

async function readAll(
  repository: string,
  names: readonly string[],
  maxText: number,
): Promise<(GitObject | undefined)[]> {
  const headers = await findObjects(repository, names)
  const { small, large } = toRead(headers)
  const found = await askReaders(repository, { command: 'contents', names: small, maxText })
  const texts = new Map(found.flatMap(answer => (answer?.text ? [[answer.sha, answer.text]] : [])))
  for (const header of large) texts.set(header.sha, await readBeginning(repository, header, maxText))
  return headers.map(header => {
    if (!header) return undefined
    const { sha, type, size } = header
    const text = texts.get(sha) ?? Buffer.alloc(0)
    return { sha, type, text, isWhole: text.length === size }
  })
}

function toRead(headers: readonly (Header | undefined)[]): { small: string[]; large: Header[] } {
  const small = new Set<string>()
  const large = new Map<string, Header>()
  let left = maxReadOfLarge
  for (const header of headers) {
    if (!header) continue
    const { sha, type, size } = header
    if (size <= maxRead) small.add(sha)
    else if (type !== 'blob' && size <= left && !large.has(sha)) {
      left -= size
      large.set(sha, header)
    }
  }
  return { small: [...small], large: [...large.values()] }
}

async function readBeginning(repository: string, header: Header, maxText: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = Math.min(header.size, maxText)
  const content = addAbortSignal(AbortSignal.timeout(largeTimeoutMs), streamObject(repository, header))
  try {
    for await (const chunk of content) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) break
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new GitTimeout('cat-file', 'took too long', '')
    // Like any other object that Git cannot read.
    if (!(error instanceof GitError)) throw error
  }
  return Buffer.concat(chunks)
}

/**
 * Returns the type and size of Git objects without reading them, in order; undefined for objects that do not
 * exist and for ambiguous names.
 * @throws {GitError} if Git fails; {DomainError} tooManyRequests if too many calls wait; the reason of the
 * signal
 */
export async function findObjects(
  repository: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<(Header | undefined)[]> {
  const cache = kept()
  const found = names.map(name => cache.get(`${repository} ${name}`))
  const left = names.filter((_, index) => !found[index])
  const asked = left.length > 0 ? await askReaders(repository, { command: 'info', names: left, signal }) : []
  return found.map(object => (object ? headerOf(object) : asked.shift()))
}

const headerOf = ({ sha, type, text }: GitObject): Header => ({ sha, type, size: text.length })
