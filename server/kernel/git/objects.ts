import { GitError, readGit, runGit } from './run'

/** A Git object, with its content truncated to a limit. */
export interface GitObject {
  sha: string
  type: string
  text: Buffer
  /** Whether `text` is the complete content. */
  isWhole: boolean
}

const defaultMaxText = 64 * 1024
// Larger objects may be files that a tag refers to, and reading through them would take time in proportion to
// their size.
const maxRead = 1024 * 1024
// Commits and tags start with people and times, so large ones are read through, up to this total size.
const maxReadOfLarge = 64 * 1024 * 1024

const maxUnreadable = 10

/**
 * Reads Git objects, in order; undefined for objects that do not exist. The content of each object is
 * truncated to `maxText` bytes, 64 KiB by default. It is empty for files and trees above 1 MiB and for
 * objects that Git cannot read. `names` must be object IDs, optionally with a suffix such as `^{}`.
 */
export async function readObjects(
  repository: string,
  names: readonly string[],
  maxText = defaultMaxText,
): Promise<(GitObject | undefined)[]> {
  if (names.length === 0) return []
  const headers = await findObjects(repository, names)
  const texts = await readTexts(repository, idsToRead(headers), maxText)
  return headers.map(header => {
    if (!header) return undefined
    const { sha, type, size } = header
    const text = texts.get(sha) ?? Buffer.alloc(0)
    return { sha, type, text, isWhole: text.length === size }
  })
}

function idsToRead(headers: readonly (Header | undefined)[]): string[] {
  const ids = new Set<string>()
  let left = maxReadOfLarge
  for (const header of headers) {
    if (!header || ids.has(header.sha)) continue
    const { sha, type, size } = header
    const isLarge = size > maxRead
    if (isLarge && (type === 'blob' || type === 'tree' || size > left)) continue
    if (isLarge) left -= size
    ids.add(sha)
  }
  return [...ids]
}

interface Header {
  sha: string
  type: string
  size: number
}

/**
 * Returns the type and size of Git objects without reading them, in order; undefined for objects that do not
 * exist.
 */
export async function findObjects(
  repository: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<(Header | undefined)[]> {
  if (names.length === 0) return []
  const input = lines(names)
  // Each output line is an ID, a type and a size, or the name followed by "missing".
  const maxBytes = Buffer.byteLength(input) + 128 * names.length
  const output = await runGit(['cat-file', '--batch-check'], { repository, input, maxBytes, signal })
  return output.split('\n').slice(0, names.length).map(parseHeader)
}

// `<id> <type> <size>`, or `<name> missing`.
function parseHeader(line: string): Header | undefined {
  const [sha = '', type = '', size] = line.split(' ')
  return size === undefined ? undefined : { sha, type, size: Number(size) }
}

async function readTexts(
  repository: string,
  ids: readonly string[],
  maxText: number,
): Promise<Map<string, Buffer>> {
  const texts = new Map<string, Buffer>()
  let left = ids
  for (let failures = 0; left.length > 0; failures++) {
    const { take, whole } = reader(texts, maxText)
    try {
      await readGit(['cat-file', '--batch'], { repository, input: lines(left) }, take)
      return texts
    } catch (error) {
      // Git stops at the first object that it cannot read, because the object is broken or needs too much
      // memory.
      if (!(error instanceof GitError) || error.exitCode !== 128 || failures === maxUnreadable) throw error
      left = left.slice(whole() + 1)
    }
  }
  return texts
}

const lines = (words: readonly string[]): string => words.map(word => `${word}\n`).join('')

// The output of each object is a header line, the content and a line break. `whole` returns the number of
// objects read completely.
function reader(texts: Map<string, Buffer>, maxText: number): { take(chunk: Buffer): void; whole(): number } {
  let head = ''
  let ended = 0
  let current: { sha: string; left: number } | undefined

  function begin(line: string): void {
    const header = parseHeader(line)
    if (!header) return
    texts.set(header.sha, Buffer.alloc(0))
    current = { sha: header.sha, left: header.size + 1 }
  }

  function gather(part: Buffer, object: { sha: string; left: number }): void {
    const text = texts.get(object.sha) ?? Buffer.alloc(0)
    const wanted = Math.min(object.left - 1, maxText - text.length, part.length)
    if (wanted > 0) texts.set(object.sha, Buffer.concat([text, part.subarray(0, wanted)]))
    object.left -= part.length
    if (object.left > 0) return
    current = undefined
    ended++
  }

  function take(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (current) {
        const part = chunk.subarray(at, at + current.left)
        gather(part, current)
        at += part.length
        continue
      }
      const end = chunk.indexOf(10, at)
      head += chunk.toString('latin1', at, end < 0 ? undefined : end)
      at = end < 0 ? chunk.length : end + 1
      if (end < 0) continue
      begin(head)
      head = ''
    }
  }

  return { take, whole: () => ended }
}
