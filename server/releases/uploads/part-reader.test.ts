import { expect, it } from 'vitest'
import { readInParts } from './part-reader'

async function* body(...chunks: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}

async function read(part: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of part) text += Buffer.from(chunk).toString()
  return text
}

it('PartReader yields parts of the requested size regardless of chunk boundaries, and the rest in the last part', async () => {
  const reader = readInParts(body('abc', 'defgh', 'i'))
  const seen: number[] = []
  const parts: string[] = []
  while (!reader.isEnded()) parts.push(await read(reader.part(4, chunk => seen.push(chunk.length))))
  expect(parts).toEqual(['abcd', 'efgh', 'i'])
  expect(seen.reduce((sum, length) => sum + length)).toBe(9)
  expect(reader.failure()).toBeUndefined()
})

it('PartReader reads no more of the body than the requested parts need', async () => {
  const chunks = body('ab', 'cd', 'ef')
  expect(await read(readInParts(chunks).part(3, () => undefined))).toBe('abc')
  expect((await chunks.next()).value?.toString()).toBe('ef')
})

it('PartReader ends the part and reports the error if the body fails', async () => {
  const failure = new Error('gone')
  const reader = readInParts(body('ab', failure))
  expect(await read(reader.part(4, () => undefined))).toBe('ab')
  expect([reader.isEnded(), reader.failure()]).toEqual([true, failure])
})
