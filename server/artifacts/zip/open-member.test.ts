import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { packZip, zipInMemory } from '@/testing/zip'
import { readDirectory, type ZipMember } from './directory'
import { openMember } from './open-member'
import type { ZipSource } from './source'

type Sent = Parameters<typeof packZip>[0][number]

const content = Buffer.concat([randomBytes(100_000), Buffer.alloc(200_000, 'a')])

async function memberOf(source: ZipSource, path: string): Promise<ZipMember> {
  const member = (await readDirectory(source)).members.get(path)
  if (!member) throw new Error('no such member')
  return member
}

async function read(sent: Omit<Sent, 'name'>): Promise<Buffer> {
  const source = zipInMemory(packZip([{ ...sent, name: 'a' }]))
  return await buffer(await openMember(source, await memberOf(source, 'a')))
}

describe('openMember', () => {
  it.each([
    ['stored', { bytes: content }, content],
    ['deflated', { bytes: content, deflated: true }, content],
    ['empty', { bytes: '' }, Buffer.alloc(0)],
    ['empty and deflated', { bytes: '', deflated: true }, Buffer.alloc(0)],
  ])('returns a file that is %s byte for byte', async (_, sent, expected) => {
    expect((await read(sent)).equals(expected)).toBe(true)
  })

  it('reads only the bytes of the file', async () => {
    const bytes = packZip([
      { name: 'before', bytes: content },
      { name: 'a', bytes: 'hello' },
      { name: 'after', bytes: content },
    ])
    const member = await memberOf(zipInMemory(bytes), 'a')
    const source = zipInMemory(bytes)
    expect((await buffer(await openMember(source, member))).toString()).toBe('hello')
    const read = source.ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
    expect(read).toBe(35)
  })

  it("closes the storage's stream when the reader disconnects", async () => {
    const source = zipInMemory(packZip([{ name: 'a', bytes: Buffer.alloc(1_000_000), deflated: true }]))
    const member = await memberOf(source, 'a')
    const opened: { destroyed: boolean }[] = []
    const watched = {
      ...source,
      open: async (range: Parameters<ZipSource['open']>[0]) => {
        const stream = await source.open(range)
        opened.push(stream)
        return stream
      },
    }
    const stream = await openMember(watched, member)
    stream.destroy()
    await new Promise(resolve => stream.once('close', resolve))
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })
})

describe('a file with false metadata', () => {
  it.each([
    ['is encrypted', { bytes: 'x', flags: 1 }, /encrypted/],
    ['has an unknown compression', { bytes: 'x', method: 93 }, /compressed with a method/],
    ['is stored with another size', { bytes: 'x', size: 5 }, /damaged/],
    ['claims to be larger than it can be', { bytes: 'x', deflated: true, size: 100_000_000 }, /damaged/],
    ['is beyond the end of the archive', { bytes: 'x', offset: 1000 }, /damaged/],
    ['is longer than the archive', { bytes: 'x', size: 5000, compressedSize: 5000 }, /damaged/],
    ['has no header where it should be', { bytes: 'x', offset: 5 }, /damaged/],
  ])('is refused if it %s', async (_, sent, message) => {
    await expect(read(sent)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['has a wrong CRC', { bytes: content, deflated: true, crc: 1 }],
    ['has a wrong CRC and is stored', { bytes: content, crc: 1 }],
    ['is larger than it claims', { bytes: content, deflated: true, size: 1000 }],
    ['is smaller than it claims', { bytes: content, deflated: true, size: content.length + 1 }],
    ['is not what deflate writes', { bytes: content, method: 8 }],
  ])('fails while it is read if it %s', async (_, sent) => {
    await expect(read(sent)).rejects.toThrow()
  })

  it('is not unpacked beyond its claimed size', async () => {
    const bomb = { bytes: Buffer.alloc(50_000_000), deflated: true, size: 100_000 }
    const source = zipInMemory(packZip([{ ...bomb, name: 'a' }]))
    const stream = await openMember(source, await memberOf(source, 'a'))
    let size = 0
    await expect(
      (async () => {
        for await (const chunk of stream) size += chunk.length
      })(),
    ).rejects.toThrow()
    expect(size).toBeLessThanOrEqual(100_000)
  })
})
