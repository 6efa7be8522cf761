import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDirectory } from './fsync'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-fsync-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('makeDirectory', () => {
  it('creates a directory and its parents with access only for their owner, even when called concurrently', async () => {
    const path = join(home, 'a', 'b', 'c')
    await Promise.all(Array.from({ length: 10 }, () => makeDirectory(path)))
    for (const made of [path, join(home, 'a', 'b'), join(home, 'a')])
      expect((await stat(made)).mode & 0o777).toBe(0o700)
    await makeDirectory(path)
  })

  it('fails for a file, for a path below a file and for a dangling link', async () => {
    await writeFile(join(home, 'file'), '')
    await symlink(join(home, 'nowhere'), join(home, 'link'))
    await expect(makeDirectory(join(home, 'file'))).rejects.toThrow('EEXIST')
    await expect(makeDirectory(join(home, 'file', 'x'))).rejects.toThrow('ENOTDIR')
    await expect(makeDirectory(join(home, 'link'))).rejects.toThrow('EEXIST')
  })

  it.skipIf(process.platform !== 'linux')(
    'fails without retrying if the directory cannot be created',
    async () => {
      await expect(makeDirectory('/proc/guildhall/data')).rejects.toThrow(
        "ENOENT: no such file or directory, mkdir '/proc/guildhall'",
      )
    },
  )
})
