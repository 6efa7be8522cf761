import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { unavailable } from '@/server/kernel/errors'
import { series } from '@/testing/series'
import { packZip, zipInMemory } from '@/testing/zip'
import { maxMembers, readDirectory } from './directory'

const pathsOf = async (bytes: Buffer) => [...(await readDirectory(zipInMemory(bytes))).members.keys()]

async function yazlZip(fill: (zip: ZipFile) => void, forceZip64Format = false): Promise<Buffer> {
  const zip = new ZipFile()
  fill(zip)
  zip.end({ forceZip64Format, comment: '' })
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

describe('readDirectory', () => {
  it('lists the files with their sizes, times and permissions', async () => {
    const modifiedAt = new Date('2026-11-22T10:02:00Z')
    const bytes = packZip([
      { name: 'bin/run ü.sh', bytes: 'x'.repeat(100), deflated: true, mode: 0o100755, modifiedAt },
      { name: 'empty/' },
      { name: 'notes.txt', bytes: 'hello' },
    ])
    const { members, folders, skipped } = await readDirectory(zipInMemory(bytes))
    expect([...members.values()]).toMatchObject([
      { path: 'bin/run ü.sh', size: 100, method: 8, modifiedAt, isExecutable: true, isEncrypted: false },
      { path: 'notes.txt', size: 5, compressedSize: 5, method: 0, isExecutable: false },
    ])
    expect([[...folders], skipped]).toEqual([['empty'], 0])
  })

  it('reads archives from the stock client, including zip64', { tags: 'series' }, async () => {
    const members = series(500, 3000)
    for (const zip64 of [false, true]) {
      const bytes = await yazlZip(zip => {
        for (let index = 0; index < members; index++) zip.addBuffer(Buffer.from('x'), `dir/file ${index}.txt`)
      }, zip64)
      const source = zipInMemory(bytes)
      expect((await readDirectory(source)).members.size).toBe(members)
      expect(source.ranges.length).toBe(1)
    }
  })

  it('reads a large archive in a few windows, without its files', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024)
    const names = Array.from({ length: 20_000 }, (_, index) => ({ name: `${'n'.repeat(60)}${index}` }))
    const source = zipInMemory(packZip([{ name: 'big', bytes: content }, ...names]))
    expect((await readDirectory(source)).members.size).toBe(20_001)
    expect(source.ranges.length).toBeLessThan(10)
    expect(Math.min(...source.ranges.map(({ start }) => start))).toBeGreaterThan(content.length)
  })

  it('reads an empty archive', async () => {
    expect(await pathsOf(packZip([]))).toEqual([])
  })
})

describe('a hostile archive', () => {
  it.each([
    '/etc/passwd',
    '../../etc/passwd',
    'a/../../b',
    '..\\..\\windows',
    'C:\\windows',
    'c:x',
    'a\0b',
    'a\r\nb',
    '',
    '/',
    './',
    'x'.repeat(1025),
  ])('with an entry named %j is read without it, and the entry is counted', async name => {
    const bytes = packZip([{ name }, { name: 'good.txt' }])
    const { members, folders, skipped } = await readDirectory(zipInMemory(bytes))
    expect([[...members.keys()], folders.size, skipped]).toEqual([['good.txt'], 0, 1])
  })

  it('has its names cleaned of empty segments and backslashes', async () => {
    expect(await pathsOf(packZip([{ name: './a//b' }, { name: 'c\\d' }, { name: 'e..f/...' }]))).toEqual([
      'a/b',
      'c/d',
      'e..f/...',
    ])
  })

  it('with several entries of one name is read with the last one', async () => {
    const bytes = packZip([
      { name: 'a', bytes: 'first' },
      { name: './a', bytes: 'the last' },
    ])
    const { members } = await readDirectory(zipInMemory(bytes))
    expect([...members.values()]).toMatchObject([{ path: 'a', size: 8 }])
  })

  it('with sizes beyond the safe number range is read without those entries', async () => {
    const extra = Buffer.from(`01001000${'ff'.repeat(16)}`, 'hex')
    const bytes = packZip([{ name: 'a', size: 0xffffffff, compressedSize: 0xffffffff, extra }, { name: 'b' }])
    const { members, skipped } = await readDirectory(zipInMemory(bytes))
    expect([[...members.keys()], skipped]).toEqual([['b'], 1])
  })

  it.each([
    ['text', Buffer.from('no archive at all, only text in a file')],
    ['nothing', Buffer.alloc(0)],
    ['a cut archive', packZip([{ name: 'a', bytes: 'x'.repeat(100) }]).subarray(0, 120)],
    ['an archive whose directory is cut', packZip([{ name: 'a' }]).subarray(20)],
    ['more entries than there are', packZip([{ name: 'a' }], { count: 5 })],
    ['strong encryption', packZip([{ name: 'a', flags: 0x40 }])],
    ['broken extra fields', packZip([{ name: 'a', extra: Buffer.from([1, 0, 255, 255]) }])],
    [
      'overlapping files',
      packZip([
        { name: 'a', bytes: 'x'.repeat(100) },
        { name: 'b', bytes: 'x'.repeat(100), offset: 10 },
      ]),
    ],
    [
      'files that share their data',
      packZip([
        { name: 'a', bytes: 'x'.repeat(100) },
        { name: 'b', offset: 0 },
      ]),
    ],
  ])('(%s) is refused with an explanation', async (_, bytes) => {
    await expect(readDirectory(zipInMemory(bytes))).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(
        /^The archive cannot be read because (it is damaged or not a zip archive|its files overlap)\.$/,
      ),
    })
  })

  it('with random damage is refused or read, but never crashes or hangs the reader', async () => {
    const good = packZip(
      Array.from({ length: 20 }, (_, index) => ({ name: `file${index}`, bytes: 'content' })),
    )
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(good)
      for (let times = 0; times < 4; times++)
        bytes[Math.floor((round * 7919 + times * 104729) % bytes.length)] = (round * 31 + times) % 256
      await readDirectory(zipInMemory(bytes)).catch(error => expect(error.kind).toBe('unprocessable'))
    }
  })

  it('with a million entries is refused before they are read', async () => {
    const tiny = await yazlZip(zip => zip.addBuffer(Buffer.from('x'), 'a'), true)
    const end = tiny.indexOf('PK\x06\x06', 'latin1')
    tiny.writeBigUInt64LE(1_000_000n, end + 24)
    tiny.writeBigUInt64LE(1_000_000n, end + 32)
    const source = zipInMemory(tiny)
    await expect(readDirectory(source)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining(`1000000 entries, and at most ${maxMembers}`),
    })
  })

  it('with a directory of very long names is refused after a while, without blocking others', async () => {
    const extra = Buffer.alloc(65_000)
    extra.writeUInt16LE(0x9999, 0)
    extra.writeUInt16LE(extra.length - 4, 2)
    const bytes = packZip(Array.from({ length: 1100 }, (_, index) => ({ name: `a${index}`, extra })))
    let turns = 0
    const source = zipInMemory(bytes)
    const slow = {
      ...source,
      open: (range: { start: number; end: number }) => sleep(1).then(() => source.open(range)),
    }
    const timer = setInterval(() => turns++, 1)
    await expect(readDirectory(slow)).rejects.toMatchObject({ kind: 'unprocessable' })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(20)
  })

  it('with many short names does not block others while it is read', async () => {
    const source = zipInMemory(packZip(Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}` }))))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    expect((await readDirectory(source)).members.size).toBe(20_000)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  it('is not blamed for a failure of the storage', async () => {
    const fails = { size: 1000, open: () => Promise.reject(unavailable('the storage is away')) }
    await expect(readDirectory(fails)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
