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

describe('the secret key', () => {
  it('is the environment’s when it has one, and nothing is written then', async () => {
    const dataDir = join(home, 'data')
    expect(await load(dataDir, 'x'.repeat(32))).toBe('x'.repeat(32))
    await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
  })

  it('is made on the first start and the same ever after', async () => {
    const dataDir = join(home, 'deep', 'data')
    const key = await load(dataDir)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await load(dataDir)).toBe(key)
    expect(await readFile(join(dataDir, 'secret-key'), 'utf8')).toBe(`${key}\n`)
  })

  it('is different for every site', async () => {
    expect(await load(join(home, 'one'))).not.toBe(await load(join(home, 'two')))
  })

  it('is readable by its owner alone', async () => {
    await load(home)
    expect((await stat(join(home, 'secret-key'))).mode & 0o777).toBe(0o600)
  })

  it('is one for processes that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => load(home)))
    expect(new Set(keys).size).toBe(1)
  })

  it('is in its file whole or not at all, so that a start killed halfway bars no later one', async () => {
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

  it('may stand in the file with space around it', async () => {
    await writeFile(join(home, 'secret-key'), `\n ${'k'.repeat(40)} \n\n`)
    expect(await load(home)).toBe('k'.repeat(40))
  })

  it.each(['', '\n', 'short'])(
    'stops the start when the file holds %j, which is left as it is, and says what to do',
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

  it.skipIf(process.getuid?.() === 0)('stops the start when the file cannot be read', async () => {
    const file = join(home, 'secret-key')
    await writeFile(file, 'k'.repeat(40))
    await chmod(file, 0)
    await expect(load(home)).rejects.toThrow(/EACCES/)
  })
})
