import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFileAtomic, writeStreamAtomic } from './atomic-write'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-atomic-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

describe('an atomically written file', () => {
  it('replaces the existing file and is readable only by its owner', async () => {
    const path = join(directory, 'file')
    await writeFile(path, 'before', { mode: 0o644 })
    await writeFileAtomic(path, 'after')
    expect(await readFile(path, 'utf8')).toBe('after')
    expect(await modeOf(path)).toBe(0o600)
    expect(await readdir(directory)).toEqual(['file'])
  })

  it('does not appear under its name before it is complete', async () => {
    const path = join(directory, 'file')
    const length = await writeStreamAtomic(path, async sink => {
      sink.write('half')
      await expect(stat(path)).rejects.toThrow('ENOENT')
      await pipeline(['whole'], sink)
      return 9
    })
    expect(length).toBe(9)
    expect(await readFile(path, 'utf8')).toBe('halfwhole')
  })

  it('leaves the existing file, and no other file, if writing fails', async () => {
    const path = join(directory, 'file')
    await writeFile(path, 'before')
    const failing = writeStreamAtomic(path, async sink => {
      sink.write('half')
      throw new Error('cut off')
    })
    await expect(failing).rejects.toThrow('cut off')
    expect(await readFile(path, 'utf8')).toBe('before')
    expect(await readdir(directory)).toEqual(['file'])
  })

  it('fails with the error of its source stream', async () => {
    const feed = Readable.from(
      (async function* () {
        yield 'half'
        throw new Error('cut off')
      })(),
    )
    const path = join(directory, 'file')
    await expect(writeStreamAtomic(path, sink => pipeline(feed, sink))).rejects.toThrow('cut off')
    expect(await readdir(directory)).toEqual([])
  })

  it('does not replace an existing file if `replace` is false', async () => {
    const path = join(directory, 'file')
    await writeFile(path, 'before')
    await expect(writeFileAtomic(path, 'after', { replace: false })).rejects.toThrow('EEXIST')
    expect(await readFile(path, 'utf8')).toBe('before')
    expect(await readdir(directory)).toEqual(['file'])
  })

  it('is executable by everyone if `executable` is true', async () => {
    const path = join(directory, 'file')
    await writeFileAtomic(path, '#!/bin/sh\n', { executable: true })
    expect(await modeOf(path)).toBe(0o755)
  })
})
