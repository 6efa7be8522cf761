import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readSpilledBody } from './spilled-body'

describe('a body with files', () => {
  test.each([1, 7, 4096])('is read in little memory, however it arrives, %i bytes at a time', async step => {
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
        const bytes = spilled ? await buffer(spilled.read()) : Buffer.from(content, 'base64')
        expect(bytes.equals(contents[index] as Buffer)).toBe(true)
      }
      expect(json.length).toBeLessThan(5_000)
    })
  })

  test('can contain a thousand files of any size', async () => {
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
