import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from './config-error'
import { loadSecretKey } from './secret-key'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-secret-key-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const load = (dataDir: string, secretKey?: string) => loadSecretKey({ dataDir, secretKey })

describe('the secret key of an instance', () => {
  it('is read from the environment variable if that is set, and no file is written', async () => {
    const dataDir = join(home, 'data')
    expect(await load(dataDir, 'x'.repeat(32))).toBe('x'.repeat(32))
    await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
  })

  it('is created at the first start and remains the same', async () => {
    const dataDir = join(home, 'deep', 'data')
    const key = await load(dataDir)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await load(dataDir)).toBe(key)
    expect(await readFile(join(dataDir, 'secret-key'), 'utf8')).toBe(`${key}\n`)
  })

  it('differs between instances', async () => {
    expect(await load(join(home, 'one'))).not.toBe(await load(join(home, 'two')))
  })

  it('is readable only by its owner', async () => {
    await load(home)
    expect((await stat(join(home, 'secret-key'))).mode & 0o777).toBe(0o600)
  })

  it('is the same in processes that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => load(home)))
    expect(new Set(keys).size).toBe(1)
  })

  it('is written to its file atomically, so that an interrupted start does not prevent later ones', async () => {
    const file = join(home, 'secret-key')
    const seen = new Set<string>()
    let done = false
    const making = load(home).finally(() => {
      done = true
    })
    while (!done) {
      if (existsSync(file)) seen.add(readFileSync(file, 'utf8'))
      await nextTurn()
    }
    expect([...seen]).toEqual([`${await making}\n`])
    expect(await readdir(home)).toEqual(['secret-key'])
  })

  it('can have whitespace around it in the file', async () => {
    await writeFile(join(home, 'secret-key'), `\n ${'k'.repeat(40)} \n\n`)
    expect(await load(home)).toBe('k'.repeat(40))
  })

  it.each(['', '\n', 'short'])(
    'is refused if its file contains %j, with advice and without changing the file',
    async text => {
      const file = join(home, 'secret-key')
      await writeFile(file, text)
      await expect(load(home)).rejects.toThrow(ConfigError)
      await expect(load(home)).rejects.toThrow(
        /secret-key is damaged.*from a backup, or remove the file if this site has never started/,
      )
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  it.skipIf(process.getuid?.() === 0)('is refused if its file cannot be read', async () => {
    const file = join(home, 'secret-key')
    await writeFile(file, 'k'.repeat(40))
    await chmod(file, 0)
    await expect(load(home)).rejects.toThrow(/EACCES/)
  })
})
