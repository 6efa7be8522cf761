import { invalid, tooLarge, unprocessable } from '../errors'
import { createSpilledTexts, type SpilledBytes } from './spilled-texts'

/** A JSON body without its long texts. */
export interface SpilledBody {
  /** The JSON, in which each long text is replaced by a short one. */
  json: Buffer
  /** What the long texts decode to, by what they were replaced with. */
  texts: ReadonlyMap<string, SpilledBytes>
  /** Deletes the file of the long texts. */
  close(): Promise<void>
}

/** Limits of a body in bytes. */
interface Limits {
  body: number
  /** Of the body without its long texts. */
  json: number
}

// No other text is as long: messages have half of it. Contents, of which there can be many, are files above fewer.
const longText = 128 * 1024
const longContent = 512
const contentKey = Buffer.from('content')
const [quote, backslash, colon] = ['"', '\\', ':'].map(text => text.charCodeAt(0)) as [number, number, number]

/**
 * Reads a JSON body of any length in little memory: each text above 128 KiB, or above 512 bytes in a field `content`, is
 * decoded from Base64 as it arrives, and written to a file in `directory` if there are more than 64 KiB of them.
 * @throws {DomainError} tooLarge; unprocessable if a long text is not Base64; invalid if the body ends early
 */
export async function readSpilledBody(
  body: AsyncIterable<Buffer>,
  directory: string,
  limits: Limits,
): Promise<SpilledBody> {
  const spilled = createSpilledTexts(directory)
  const json = growingBuffer()
  let size = 0
  // Where the text in progress begins in the JSON; undefined between texts.
  let textAt: number | undefined
  let [isEscaped, isLong, maxText] = [false, false, longText]
  // Whether the last text was the name of the field of contents, and is followed by its value.
  let [isContentKey, isValue] = [false, false]

  const takeText = async (bytes: Buffer): Promise<void> => {
    if (isLong) return await spilled.write(bytes)
    json.append(bytes)
    if (textAt === undefined || json.size() - textAt <= maxText) return
    isLong = true
    await spilled.write(json.takeFrom(textAt))
  }
  const requireRoom = (): void => {
    if (json.size() <= limits.json) return
    throw tooLarge(
      `the body exceeds the limit of ${limits.json} bytes without texts of more than ${longText} bytes`,
    )
  }
  const take = async (chunk: Buffer): Promise<void> => {
    let at = 0
    while (at < chunk.length) {
      if (textAt === undefined) {
        const found = chunk.indexOf(quote, at)
        const next = found < 0 ? chunk.length : found + 1
        const between = chunk.subarray(at, next)
        json.append(between)
        requireRoom()
        isValue ||= between.includes(colon)
        at = next
        if (found < 0) continue
        ;[textAt, isEscaped, isLong] = [json.size(), false, false]
        maxText = isContentKey && isValue ? longContent : longText
        continue
      }
      const end = endOfText(chunk, at, isEscaped)
      isEscaped = end.isEscaped
      await takeText(chunk.subarray(at, end.at))
      at = end.at
      if (!end.isOver) return
      isContentKey = !isLong && json.endsWith(contentKey, textAt)
      isValue = false
      if (isLong) json.append(Buffer.from(await spilled.end()))
      textAt = undefined
      json.append(chunk.subarray(at, at + 1))
      at += 1
    }
  }

  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > limits.body) throw tooLarge(`the body exceeds the limit of ${limits.body} bytes`)
      await take(chunk)
    }
    if (textAt !== undefined) throw unprocessable('[]: the body is not valid JSON')
    requireRoom()
    return { json: json.takeFrom(0), texts: spilled.texts, close: spilled.close }
  } catch (error) {
    await spilled.close()
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw invalid('the body was cut short', { cause: error })
  }
}

function endOfText(
  chunk: Buffer,
  from: number,
  wasEscaped: boolean,
): { at: number; isOver: boolean; isEscaped: boolean } {
  let at = wasEscaped ? from + 1 : from
  let end = quoteFrom(chunk, at)
  for (;;) {
    const escapeAt = chunk.subarray(at, end).indexOf(backslash)
    if (escapeAt < 0) return { at: end, isOver: end < chunk.length, isEscaped: false }
    at += escapeAt + 2
    if (at > chunk.length) return { at: chunk.length, isOver: false, isEscaped: true }
    // Only if the quotation mark is escaped: a text can consist of escapes.
    if (at > end) end = quoteFrom(chunk, at)
  }
}

function quoteFrom(chunk: Buffer, at: number): number {
  const found = chunk.indexOf(quote, at)
  return found < 0 ? chunk.length : found
}

interface GrowingBuffer {
  size(): number
  append(bytes: Buffer): void
  /** Returns whether exactly these bytes follow a position. */
  endsWith(wanted: Buffer, at: number): boolean
  /** Removes the bytes from a position on, and returns them. */
  takeFrom(at: number): Buffer
}

// A text can be a single byte, for which a buffer of its own takes a hundred times as much memory.
function growingBuffer(): GrowingBuffer {
  let bytes = Buffer.alloc(4096)
  let size = 0
  return {
    size: () => size,
    append: more => {
      if (size + more.length > bytes.length) {
        const larger = Buffer.alloc(2 * (size + more.length))
        bytes.copy(larger, 0, 0, size)
        bytes = larger
      }
      more.copy(bytes, size)
      size += more.length
    },
    endsWith: (wanted, at) => wanted.equals(bytes.subarray(at, size)),
    takeFrom: at => {
      const removed = Buffer.from(bytes.subarray(at, size))
      size = at
      return removed
    },
  }
}
