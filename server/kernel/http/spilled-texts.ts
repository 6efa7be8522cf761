import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeBase64 } from '../base64'
import { unprocessable } from '../errors'
import { makeDirectory } from '../fs/fsync'

/** Bytes that a JSON body contained in Base64, in memory or in a file without a name. */
export interface SpilledBytes {
  size: number
  read(): Iterable<Buffer> | AsyncIterable<Buffer>
}

/** Keeps the long texts of a JSON body: the first ones in memory, and the others in one file, one after the other. */
export interface SpilledTexts {
  /** Takes a part of a text as it is written in JSON. */
  write(bytes: Buffer): Promise<void>
  /** Ends a text, and returns what replaces it. */
  end(): Promise<string>
  /** What the texts decode to, by what replaced them. */
  texts: ReadonlyMap<string, SpilledBytes>
  close(): Promise<void>
}

// A file of ordinary size takes less time in memory than on disk.
const maxInMemory = 64 * 1024

/**
 * Returns an empty keeper of long texts. It opens a file in `directory` with the first of them for which there is no room
 * in memory. Its methods throw unprocessable for texts that are not Base64.
 */
export function createSpilledTexts(directory: string): SpilledTexts {
  const nonce = randomUUID()
  const texts = new Map<string, SpilledBytes>()
  let file: FileHandle | undefined
  let [rest, begin, end] = ['', 0, 0]
  let room = maxInMemory
  // The text in progress; undefined once it is written to the file.
  let held: Buffer[] | undefined = []

  const append = async (bytes: Buffer): Promise<void> => {
    file ??= await openNameless(directory)
    await file.appendFile(bytes)
    end += bytes.length
  }
  const write = async (text: string): Promise<void> => {
    const bytes = decodeBase64(text)
    if (!bytes) throw notBase64()
    if (!held) return await append(bytes)
    held.push(bytes)
    room -= bytes.length
    if (room >= 0) return
    const whole = Buffer.concat(held)
    held = undefined
    room += whole.length
    await append(whole)
  }
  return {
    texts,
    write: async bytes => {
      const [whole, unfinished] = unescaped(rest + bytes.toString('latin1'))
      // What could be the padding at the end stays until then.
      const ready = Math.max(whole.length - (whole.length % 4) - 4, 0)
      rest = whole.slice(ready) + unfinished
      if (ready === 0) return
      const text = whole.slice(0, ready)
      if (text.includes('=')) throw notBase64()
      await write(text)
    },
    end: async () => {
      await write(rest)
      const name = `${nonce}-${texts.size}`
      texts.set(name, held ? inMemory(Buffer.concat(held)) : inFile(file as FileHandle, begin, end - begin))
      ;[rest, begin, held] = ['', end, []]
      return name
    },
    close: async () => {
      const opened = file
      file = undefined
      await opened?.close()
    },
  }
}

const inMemory = (bytes: Buffer): SpilledBytes => ({ size: bytes.length, read: () => [bytes] })

const inFile = (file: FileHandle, from: number, size: number): SpilledBytes => ({
  size,
  read: () => readFrom(file, from, size),
})

const notBase64 = (): Error =>
  unprocessable('content: a text of this length must be the content of a file in Base64')

async function openNameless(directory: string): Promise<FileHandle> {
  await makeDirectory(directory)
  const path = join(directory, `body-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  // It exists as long as it is open, even if the process is killed.
  await rm(path, { force: true })
  return file
}

// Returns Base64 as it was before it was written into JSON, without white space, and an escape at its end that is not
// complete yet.
function unescaped(text: string): [string, string] {
  if (!/[\\\p{Cc}]/u.test(text)) return [text.replaceAll(' ', ''), '']
  const [, unfinished = ''] = /(?:^|[^\\])(\\(?:u[0-9a-f]{0,3})?)$/i.exec(text) ?? []
  const whole = text.slice(0, text.length - unfinished.length)
  try {
    return [(JSON.parse(`"${whole}"`) as string).replace(/[\t\n\r ]+/g, ''), unfinished]
  } catch {
    throw unprocessable('[]: the body is not valid JSON')
  }
}

const chunkBytes = 64 * 1024

async function* readFrom(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  const end = from + size
  for (let at = from; at < end; ) {
    const length = Math.min(chunkBytes, end - at)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
    if (bytesRead === 0) throw new Error('a file of a request body was cut short')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
