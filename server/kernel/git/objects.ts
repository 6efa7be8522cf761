import { GitError, readGit, runGit } from './run'

/** An object as git keeps it, its text cut off at a limit. */
export interface GitObject {
  sha: string
  type: string
  text: Buffer
  /** The text is all there is. */
  isWhole: boolean
}

const defaultMaxText = 64 * 1024
// Larger ones may be files that a tag names: reading through them would take as long as they are.
const maxRead = 1024 * 1024
// Of those that begin with people and times, however long their messages are, so much of all together is read through.
const maxReadOfLarge = 64 * 1024 * 1024

const maxUnreadable = 10

/**
 * Reads objects, in order; undefined stands for one that does not exist. Of each no more than its first 64 KiB are
 * kept unless told otherwise, and of a file above a mebibyte, or what git cannot read, nothing. `names` must be ids, or ids
 * with a suffix such as `^{}`.
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

/** Looks up objects without reading them, in order; undefined stands for one that does not exist. */
export async function findObjects(
  repository: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<(Header | undefined)[]> {
  if (names.length === 0) return []
  const input = lines(names)
  // A line is an id, a type and a size, or the name again.
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
      // It ends at the first it cannot read, because that is broken or takes too much memory.
      if (!(error instanceof GitError) || error.exitCode !== 128 || failures === maxUnreadable) throw error
      left = left.slice(whole() + 1)
    }
  }
  return texts
}

const lines = (words: readonly string[]): string => words.map(word => `${word}\n`).join('')

// The output is a header on a line, the bytes and a line end. `whole` gives how many came to their end.
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
