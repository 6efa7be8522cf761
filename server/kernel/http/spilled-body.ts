import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { decodeBase64 } from '../base64'
import { invalid, tooLarge, unprocessable } from '../errors'

/** Bytes that a JSON body contained in Base64, in a part of a file without a name. */
export interface SpilledBytes {
  size: number
  read(): AsyncIterable<Buffer>
}

/** A JSON body without its long texts. */
export interface SpilledBody {
  /** The JSON, in which each long text is replaced by a short one. */
  json: Buffer
  /** What the long texts decode to, by what they were replaced with. */
  texts: ReadonlyMap<string, SpilledBytes>
  /** Deletes the file. */
  close(): Promise<void>
}

/** Limits of a body in bytes. */
interface Limits {
  body: number
  /** Of the body without its long texts. */
  json: number
}

// No other text is as long: messages have half of it.
const longText = 128 * 1024
// A body can contain a thousand files, whose contents together would be too long.
const longContent = 512
const contentKey = Buffer.from('content')
const [quote, backslash, colon] = ['"', '\\', ':'].map(each => each.charCodeAt(0)) as [number, number, number]

/**
 * Reads a JSON body of any length in little memory: each text above 128 KiB, or above 512 bytes if it is the value of
 * `content`, is decoded from Base64 and written to a file in `directory` as it arrives.
 * @throws {DomainError} tooLarge; unprocessable if a long text is not Base64; invalid if the body ends early
 */
export async function readSpilledBody(
  body: Readable,
  directory: string,
  limits: Limits,
): Promise<SpilledBody> {
  const spill = createSpill(directory)
  const json: Buffer[] = []
  let [size, jsonSize] = [0, 0]
  // The text in progress: its bytes so far, unless it is long.
  let text: Buffer[] | undefined
  let [textSize, isEscaped, isLong, mostInMemory] = [0, false, false, longText]
  // Whether the last text was the name of the field, and is followed by its value.
  let [isContentKey, isValue] = [false, false]

  const keep = (bytes: Buffer): void => {
    jsonSize += bytes.length
    if (jsonSize > limits.json) {
      throw tooLarge(
        `the body exceeds the limit of ${limits.json} bytes without texts of more than ${longText} bytes`,
      )
    }
    json.push(bytes)
  }
  const takeText = async (bytes: Buffer): Promise<void> => {
    textSize += bytes.length
    if (isLong) return await spill.write(bytes)
    text?.push(bytes)
    if (textSize <= mostInMemory) return
    isLong = true
    await spill.begin()
    for (const part of text ?? []) await spill.write(part)
    text = []
  }
  const take = async (chunk: Buffer): Promise<void> => {
    let at = 0
    while (at < chunk.length) {
      if (text === undefined) {
        const begin = chunk.indexOf(quote, at)
        const between = chunk.subarray(at, begin < 0 ? chunk.length : begin + 1)
        keep(between)
        isValue ||= between.includes(colon)
        if (begin < 0) return
        at = begin + 1
        mostInMemory = isContentKey && isValue ? longContent : longText
        ;[text, textSize, isEscaped, isLong] = [[], 0, false, false]
        continue
      }
      const end = endOfText(chunk, at, isEscaped)
      isEscaped = end.isEscaped
      await takeText(chunk.subarray(at, end.at))
      at = end.at
      if (!end.isOver) return
      if (isLong) keep(Buffer.from(await spill.end()))
      else for (const part of text) keep(part)
      isContentKey = textSize === contentKey.length && Buffer.concat(text).equals(contentKey)
      isValue = false
      text = undefined
      keep(chunk.subarray(at, at + 1))
      at += 1
    }
  }

  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > limits.body) throw tooLarge(`the body exceeds the limit of ${limits.body} bytes`)
      await take(chunk as Buffer)
    }
    if (text !== undefined) throw unprocessable('[]: the body is not valid JSON')
    return { json: Buffer.concat(json), texts: spill.texts, close: spill.close }
  } catch (error) {
    await spill.close()
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
  for (;;) {
    const end = chunk.indexOf(quote, at)
    const escapeAt = chunk.subarray(at, end < 0 ? chunk.length : end).indexOf(backslash)
    if (escapeAt < 0) return { at: end < 0 ? chunk.length : end, isOver: end >= 0, isEscaped: false }
    at += escapeAt + 2
    if (at > chunk.length) return { at: chunk.length, isOver: false, isEscaped: true }
  }
}

interface Spill {
  begin(): Promise<void>
  /** Takes a part of the text as it is written in JSON. */
  write(bytes: Buffer): Promise<void>
  /** Returns what replaces the text. */
  end(): Promise<string>
  texts: ReadonlyMap<string, SpilledBytes>
  close(): Promise<void>
}

function createSpill(directory: string): Spill {
  const nonce = randomUUID()
  const texts = new Map<string, SpilledBytes>()
  let file: FileHandle | undefined
  let [rest, start, size] = ['', 0, 0]

  const write = async (text: string): Promise<void> => {
    const bytes = decodeBase64(text)
    if (!bytes) throw unprocessable('content: a text of this length must be the content of a file in Base64')
    size += bytes.length
    await file?.appendFile(bytes)
  }
  return {
    texts,
    begin: async () => {
      ;[rest, start, size] = ['', start + size, 0]
      if (file) return
      const path = join(directory, `.body-${randomUUID()}`)
      file = await open(path, 'wx+', 0o600)
      // It exists as long as it is open, even if the process is killed.
      await unlink(path)
    },
    write: async bytes => {
      const text = rest + bytes.toString('latin1')
      const [whole, unfinished] = unescaped(text)
      const usable = whole.length - (whole.length % 4)
      // What could be the padding at the end stays until then.
      const ready = Math.max(usable - 4, 0)
      rest = whole.slice(ready) + unfinished
      if (ready > 0) await write(whole.slice(0, ready))
    },
    end: async () => {
      await write(rest)
      const name = `${nonce}-${texts.size}`
      const range = { start, size }
      texts.set(name, { size, read: () => readFrom(file as FileHandle, range) })
      return name
    },
    close: async () => {
      const opened = file
      file = undefined
      await opened?.close()
    },
  }
}

// Returns Base64 as it was before it was written into JSON, without white space, and an escape at its end that is not
// complete yet.
function unescaped(text: string): [string, string] {
  if (!text.includes('\\')) return [text.replace(/[\t\n\r ]+/g, ''), '']
  const [, unfinished = ''] = /(?:^|[^\\])((?:\\|\\u[0-9a-f]{0,3}))$/i.exec(text) ?? []
  const whole = text.slice(0, text.length - unfinished.length)
  try {
    return [(JSON.parse(`"${whole}"`) as string).replace(/[\t\n\r ]+/g, ''), unfinished]
  } catch {
    throw unprocessable('[]: the body is not valid JSON')
  }
}

const chunkBytes = 64 * 1024

async function* readFrom(
  file: FileHandle,
  { start, size }: { start: number; size: number },
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const wanted = Math.min(chunkBytes, size - at)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, start + at)
    if (bytesRead === 0) throw new Error('a file of a request body was cut short')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
