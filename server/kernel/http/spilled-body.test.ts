import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { oneOf, type Random, randomFrom } from '@/testing/random'
import { decodeBase64 } from '../base64'
import { readSpilledBody, type SpilledBody } from './spilled-body'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spilled-'))
})

const MiB = 1024 * 1024
const read = (chunks: readonly Buffer[]): Promise<SpilledBody> =>
  readSpilledBody(Readable.from(chunks), directory, { body: 32 * MiB, json: MiB })

const longText = 128 * 1024
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/']

function base64Of(random: Random, length: number): string {
  const text = Array.from({ length }, () => oneOf(random, letters)).join('')
  return text + oneOf(random, ['', '', '==', '=', 'QQ=='])
}

// How JSON can write a text, and what is not quite a Base64 text.
function written(random: Random, text: string): string {
  const escapes = oneOf(random, [0, 0, 0.001, 0.3])
  const noise = oneOf(random, [
    '',
    '',
    '',
    '',
    '\\n',
    ' ',
    '\\r\\n',
    '\n',
    '=',
    '\\u00e9',
    'é',
    '\\x',
    '\\',
    '\\"',
  ])
  const at = Math.floor(random() * text.length)
  const one = (letter: string): string => {
    if (random() >= escapes) return letter
    if (letter === '/') return '\\/'
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  }
  return [...text].map((letter, index) => (index === at ? noise : '') + one(letter)).join('')
}

const digest = (bytes: Buffer | undefined): string | undefined =>
  bytes && createHash('sha256').update(bytes).digest('hex')

function chunked(random: Random, bytes: Buffer): Buffer[] {
  const most = oneOf(random, [100, 4096, 65_536, bytes.length])
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = at + 1 + Math.floor(random() * most)
    chunks.push(bytes.subarray(at, next))
    at = next
  }
  return chunks
}

/** What the body means by itself: its short texts, and what its long ones decode to; undefined if it is refused. */
function meantBy(body: string, isLong: readonly boolean[]): unknown[] | undefined {
  const texts = textsOf(Buffer.from(body))
  const decoded = texts?.map((text, index) => (isLong[index] ? digest(decodeBase64(text)) : text))
  return decoded?.includes(undefined) ? undefined : decoded
}

async function meantByParts(chunks: readonly Buffer[]): Promise<unknown[] | undefined> {
  const spilled = await read(chunks).catch(error => {
    expect(error.kind).toBe('unprocessable')
  })
  const texts = spilled && textsOf(spilled.json)
  const decoded = texts?.map(async text => {
    const long = spilled?.texts.get(text)
    if (!long) return text
    const bytes = await buffer(Readable.from(long.read()))
    expect(bytes.length).toBe(long.size)
    return digest(bytes)
  })
  const meant = decoded && (await Promise.all(decoded))
  await spilled?.close()
  return meant
}

function textsOf(json: Buffer): string[] | undefined {
  try {
    return JSON.parse(json.toString()) as string[]
  } catch {
    return undefined
  }
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'reads what JSON.parse reads, however the body is split: seed %i',
  async seed => {
    const random = randomFrom(seed)
    const sizes = [0, 5, 1000, longText - 4, longText, longText + 4, longText + 70_000]
    const texts = Array.from({ length: 1 + Math.floor(3 * random()) }, () =>
      written(random, base64Of(random, oneOf(random, sizes))),
    )
    const body = `[${texts.map(text => `"${text}"`).join(oneOf(random, [',', ' , ']))}]`
    const isLong = texts.map(text => Buffer.byteLength(text) > longText)
    expect(await meantByParts(chunked(random, Buffer.from(body)))).toEqual(meantBy(body, isLong))
  },
)

async function secondsToRead(text: string): Promise<number> {
  const bytes = Buffer.from(`["${text}"]`)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  )
  const before = performance.now()
  await (await read(chunks)).close()
  return (performance.now() - before) / 1000
}

it.each([
  ['escapes', '\\/', 16 * MiB - 12, MiB - 12],
  ['escaped quotation marks', '\\"', 60_000, 3_600],
])('a text of %s takes time like its length, not like the square of it', async (_, mark, count, fewer) => {
  const expected = (await secondsToRead(mark.repeat(fewer))) * (count / fewer)
  // On a busy host, one of the two can take several times as long as alone.
  expect(await secondsToRead(mark.repeat(count))).toBeLessThan(5 * expected + 1)
})

it('a body of many short texts takes about as much memory as it has bytes', async () => {
  const body = Buffer.from(`[${'"",'.repeat(340_000)}""]`)
  const before = process.memoryUsage().heapUsed
  const { json, close } = await read([body])
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * MiB)
  expect(json.equals(body)).toBe(true)
  await close()
})

it('leaves no file behind, and none with a name while it reads', async () => {
  const { texts, close } = await read([Buffer.from(`["${'A'.repeat(longText + 4)}"]`)])
  expect(texts.size).toBe(1)
  expect(await readdir(directory)).toEqual([])
  await close()
})

it.each([['["abc'], [`["${'A'.repeat(longText + 4)}`], [`["${'A'.repeat(longText + 4)}*"]`]])(
  'refuses a body that ends early or is not Base64: %.10s',
  async body => {
    await expect(read([Buffer.from(body)])).rejects.toMatchObject({ kind: 'unprocessable' })
  },
)

describe('a body with files', () => {
  it.each([1, 7, 4096])('is read in little memory, however it arrives, %i bytes at a time', async step => {
    const contents = [0, 380, 400, 3000, 150_000].map(size => randomBytes(step === 1 ? size / 50 : size))
    const files = contents.map((bytes, index) => ({
      path: `content ${index}`,
      content: bytes.toString('base64'),
    }))
    const sent = { message: `content: ${'"\\ä'.repeat(300)}`, files, content: 'content', last: ':' }
    await withBody(Buffer.from(JSON.stringify(sent, null, step)), step, async ({ json, texts }) => {
      const read = JSON.parse(json.toString()) as typeof sent
      expect({ ...read, files: [] }).toEqual({ ...sent, files: [] })
      for (const [index, { path, content }] of read.files.entries()) {
        expect(path).toBe(`content ${index}`)
        const spilled = texts.get(content)
        const bytes = spilled ? await buffer(Readable.from(spilled.read())) : Buffer.from(content, 'base64')
        expect(bytes.equals(contents[index] as Buffer)).toBe(true)
      }
      expect(json.length).toBeLessThan(5_000)
    })
  })

  it('can contain a thousand files of any size', async () => {
    const content = randomBytes(20_000).toString('base64')
    const files = Array.from({ length: 1_000 }, (_, index) => ({
      path: `${'d/'.repeat(100)}${index}`,
      content,
    }))
    await withBody(Buffer.from(JSON.stringify({ files })), 65_536, async ({ texts }) => {
      expect(texts.size).toBe(1_000)
    })
  })
})

async function withBody(
  bytes: Buffer,
  step: number,
  act: (body: Awaited<ReturnType<typeof readSpilledBody>>) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-spilled-'))
  try {
    const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
      bytes.subarray(index * step, (index + 1) * step),
    )
    const limits = { body: 32 * 1024 * 1024, json: 1024 * 1024 }
    const body = await readSpilledBody(Readable.from(chunks), directory, limits)
    await act(body).finally(body.close)
    expect(await readdir(directory)).toEqual([])
  } finally {
    await rm(directory, { recursive: true })
  }
}
