import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '@/db/client'
import { compileScript, type Script } from '@/db/testing/child-process'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { startPostgres } from '@/db/testing/postgres-server'
import { copyServerDatabase, createServerDatabase } from '@/db/testing/server-template'
import { parseConfig } from '@/server/kernel/config'
import { openServices } from '@/server/services'
import { type CommandName, runCommand } from './command'

// Creating an embedded database takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const server = await startPostgres()
let script: Script
const before = process.cwd()
let home: string
let dataDir: string
let backup: string
/**
 * An instance like the one in `dataDir`, on a server if there is one: opening an embedded database takes a
 * second.
 */
let quick: Record<string, string>
const drops: (() => Promise<void>)[] = []

/** Runs a command in this process, with only these environment variables. */
async function command(name: CommandName, args: string[], env: Record<string, string> = {}) {
  const { code, output, errors } = await runCommand(name, args, { GUILDHALL_DATA_DIR: dataDir, ...env })
  return { code, output, errors: errors.trim() }
}

/** Runs a command as people do, in a process of its own. */
async function processOf(name: CommandName, args: string[], env: Record<string, string> = {}) {
  const child = script.start([name, ...args], {
    cwd: home,
    env: { DATABASE_URL: '', GUILDHALL_SECRET_KEY: '', GUILDHALL_DATA_DIR: dataDir, ...env },
  })
  const lines: string[] = []
  for (let line = await child.line(); line !== undefined; line = await child.line()) lines.push(line)
  const { code, errors } = await child.ended()
  return { code, output: lines.join('\n'), errors: errors.trim() }
}

// All tests share one instance with one user and a key, and its backup.
beforeAll(async () => {
  script = await compileScript(`import './server/commands/main'`)
  home = await mkdtemp(join(tmpdir(), 'guildhall-commands-'))
  dataDir = join(home, 'data')
  await addKeeper(await emptyEmbedded('data'))
  quick = await emptyInstance('quick')
  await addKeeper(quick)
  backup = join(home, 'kept.backup')
  process.chdir(home)
})
afterAll(async () => {
  process.chdir(before)
  await script.remove()
  for (const drop of drops) await drop()
  await rm(home, { recursive: true, force: true })
  await server?.stop()
})

async function emptyEmbedded(name: string): Promise<Record<string, string>> {
  await copyEmbeddedDirectory(join(home, name, 'postgres'))
  return at(name)
}

async function emptyInstance(name: string): Promise<Record<string, string>> {
  if (!server) return emptyEmbedded(name)
  const { url, drop } = await copyServerDatabase(server.url)
  drops.push(drop)
  await mkdir(join(home, name))
  return { DATABASE_URL: url, ...at(name) }
}

const at = (name: string) => ({ GUILDHALL_DATA_DIR: join(home, name) })

const openInstance = (env: Record<string, string>) =>
  openDatabase({ dataDir: env.GUILDHALL_DATA_DIR ?? '', databaseUrl: env.DATABASE_URL })

async function addKeeper(env: Record<string, string>): Promise<void> {
  const open = await openInstance(env)
  await makeUser(open.db, { name: 'keeper' })
  await open.close()
  await writeFile(join(env.GUILDHALL_DATA_DIR ?? '', 'secret-key'), `${'5'.repeat(64)}\n`)
}

async function usersIn(env: Record<string, string>): Promise<string[]> {
  const open = await openInstance(env)
  const users = await open.db.selectFrom('users').select('name').execute()
  await open.close()
  return users.map(user => user.name)
}

describe('backup', () => {
  it('writes a file with the requested name that only its owner can read', async () => {
    const { code, output, errors } = await processOf('backup', ['--output', backup])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain(`Wrote ${backup}: 1 row in 1 table`)
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
  })

  it('names the file after the current time if no name is passed', async () => {
    await command('backup', [], quick)
    expect(await readdir(home)).toContainEqual(expect.stringMatching(/^guildhall-\d{8}T\d{6}Z\.backup$/))
  })

  it('fails and asks to stop the server while one is using the embedded database', async () => {
    const running = await openDatabase({ dataDir })
    const { code, errors } = await processOf('backup', ['--output', join(home, 'never')])
    await running.close()
    expect(code).toBe(1)
    expect(errors).toBe(
      `backup: stop the server first (process ${process.pid} is using ${join(dataDir, 'postgres')})`,
    )
    expect(await readdir(home)).not.toContain('never')
  })

  it('reports whether the file contains the secret key, and what to keep separately if it does not', async () => {
    const carried = await command('backup', [], quick)
    expect(carried.output).toContain('It contains the secret key of this instance')
    const result = await command('backup', [], { ...quick, GUILDHALL_SECRET_KEY: 'e'.repeat(32) })
    expect(result.output).toContain('GUILDHALL_SECRET_KEY is set in the environment. Store it separately')
    const none = await command('backup', [], await emptyInstance('keyless'))
    expect(none.output).toContain('It contains no secret key because the data directory has none')
    expect(none.output).toContain('GUILDHALL_SECRET_KEY')
  })

  it('omits the data directory’s key if the environment contains the key in use', async () => {
    const file = join(home, 'given.backup')
    await command('backup', ['--output', file], { ...quick, GUILDHALL_SECRET_KEY: 'e'.repeat(32) })
    const { code } = await command('restore', [file], await emptyInstance('given'))
    expect(code).toBe(0)
    expect(await readdir(join(home, 'given'))).not.toContain('secret-key')
  })

  it('fails without creating a database if there is none', async () => {
    const { code, errors } = await command('backup', [], at('nothing'))
    expect(code).toBe(1)
    expect(errors).toContain('there is no database in')
    expect(await readdir(home)).not.toContain('nothing')
  })

  it('leaves no partial file if the target cannot be written', async () => {
    const { code, errors } = await command('backup', ['--output', join(home, 'absent', 'file')], quick)
    expect(code).toBe(1)
    expect(errors.split('\n')).toHaveLength(1)
    expect((await readdir(home)).filter(name => name.includes('partial'))).toEqual([])
  })
})

describe('restore', () => {
  it('restores the rows, and the secret key readable only by its owner', async () => {
    const { code, output, errors } = await processOf('restore', [backup], await emptyEmbedded('second'))
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('1 row in 1 table')
    expect(await usersIn(at('second'))).toEqual(['keeper'])
    const key = join(home, 'second', 'secret-key')
    expect(await readFile(key, 'utf8')).toBe(`${'5'.repeat(64)}\n`)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
  })

  it('refuses a data directory with a different key, and leaves its database empty', async () => {
    const other = await emptyInstance('other')
    await writeFile(join(home, 'other', 'secret-key'), '6'.repeat(64))
    const { code, errors } = await command('restore', [backup], other)
    expect(code).toBe(1)
    expect(errors).toContain('differs from the key in the backup')
    expect(await usersIn(other)).toEqual([])
  })

  it('refuses a database with rows, a damaged file and a missing file, each with a one-line error', async () => {
    const full = await command('restore', [backup], quick)
    expect(full).toMatchObject({ code: 1, errors: expect.stringContaining('not empty') })

    const cut = join(home, 'cut.backup')
    await writeFile(cut, await readFile(backup))
    await truncate(cut, (await stat(cut)).size - 9)
    const damaged = await command('restore', [cut], await emptyInstance('third'))
    expect(damaged).toMatchObject({ code: 1, errors: expect.stringContaining('damaged or truncated') })
    expect(await readdir(join(home, 'third'))).not.toContain('secret-key')

    const absent = await command('restore', [join(home, 'absent')], at('third'))
    expect(absent).toMatchObject({ code: 1, errors: `restore: there is no file ${join(home, 'absent')}` })
    const directory = await command('restore', [home], at('third'))
    expect(directory).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is a directory; specify the backup file'),
    })
    for (const { errors } of [full, damaged, absent, directory]) expect(errors.split('\n')).toHaveLength(1)
  })
})

describe('site:adopt', () => {
  it('records a moved directory, and refuses missing data, foreign data and a new key without their options', async () => {
    const env = { ...(await emptyInstance('moved')), GUILDHALL_LOG_LEVEL: 'silent' }
    const dir = join(home, 'moved')
    const starting = (more: Record<string, string> = {}) =>
      openServices(parseConfig({ ...env, ...more })).then(({ database }) => database.close())
    await starting()
    await rename(join(dir, 'repositories'), join(dir, 'elsewhere'))
    await rm(join(dir, 'elsewhere', 'guildhall-mark'))
    const elsewhere = { ...env, GUILDHALL_REPOSITORY_DIR: join(dir, 'elsewhere') }
    await expect(starting(elsewhere)).rejects.toThrow('npm run site:adopt')
    expect(await command('site-adopt', [], elsewhere)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Recorded the repository directory ${join(dir, 'elsewhere')}.`),
    })
    await starting(elsewhere)

    const open = await openInstance(env)
    await makeRepository(open.db, (await makeUser(open.db)).id)
    await open.close()
    const nowhere = { ...env, GUILDHALL_REPOSITORY_DIR: join(dir, 'nowhere') }
    const lacking = await command('site-adopt', [], nowhere)
    expect(lacking).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 of 1 checked items are missing'),
    })
    await starting(elsewhere)
    expect((await command('site-adopt', ['--incomplete'], nowhere)).code).toBe(0)
    await expect(starting(elsewhere)).rejects.toThrow("another site's")
    await starting(nowhere)
    expect(await command('site-adopt', [], elsewhere)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/belongs to another site.*--foreign/s),
    })
    await starting(nowhere)
    expect((await command('site-adopt', ['--foreign', '--incomplete'], elsewhere)).code).toBe(0)
    expect((await command('site-adopt', ['--foreign', '--incomplete'], nowhere)).code).toBe(0)
    await starting(nowhere)

    const keyed = { ...nowhere, GUILDHALL_SECRET_KEY: 'n'.repeat(32) }
    const refused = await command('site-adopt', [], keyed)
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('--new-key') })
    expect((await command('site-adopt', ['--new-key'], keyed)).code).toBe(0)
    await starting(keyed)
    await expect(starting(nowhere)).rejects.toThrow('secret-key does not contain the secret key')
    const kept = join(home, 'keyed.backup')
    await command('backup', ['--output', kept], keyed)
    const other = { ...(await emptyInstance('otherkey')), GUILDHALL_SECRET_KEY: 'w'.repeat(32) }
    const restored = await command('restore', [kept], other)
    expect(restored).toMatchObject({
      code: 1,
      errors: expect.stringContaining('GUILDHALL_SECRET_KEY is not'),
    })
    expect((await command('restore', [kept], { ...other, GUILDHALL_SECRET_KEY: 'n'.repeat(32) })).code).toBe(
      0,
    )
  })
})

it('db:move without a target asks to set DATABASE_URL', async () => {
  const { code, errors } = await processOf('db-move', [])
  expect(code).toBe(1)
  expect(errors).toBe(
    'db:move: set DATABASE_URL to the target, for example postgres://user:password@host:5432/name',
  )
})

describe.skipIf(!server)('commands with a PostgreSQL server', () => {
  it('db:move copies the embedded database into an empty database, and refuses to repeat it', async () => {
    const target = await createServerDatabase(server!.url)
    const { code, output } = await command('db-move', [target.url])
    expect(code).toBe(0)
    expect(output).toContain('Moved 1 row in 1 table.')
    expect(await usersIn({ DATABASE_URL: target.url, ...at('data') })).toEqual(['keeper'])

    const again = await command('db-move', [target.url])
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('not empty') })
    await target.drop()
  })

  it('db:move without an argument copies into the database that DATABASE_URL names', async () => {
    const target = await createServerDatabase(server!.url)
    const { code, output } = await processOf('db-move', [], { DATABASE_URL: target.url })
    expect(code).toBe(0)
    expect(output).toContain('Moved 1 row in 1 table.')
    expect(await usersIn({ DATABASE_URL: target.url, ...at('data') })).toEqual(['keeper'])
    await target.drop()
  })

  it('backup and restore use the database that DATABASE_URL names', async () => {
    const target = await createServerDatabase(server!.url)
    const env = { DATABASE_URL: target.url, ...at('served') }
    expect((await command('restore', [backup], env)).code).toBe(0)
    expect((await command('backup', ['--output', join(home, 'served.backup')], env)).code).toBe(0)
    expect(await usersIn({ DATABASE_URL: target.url, ...at('data') })).toEqual(['keeper'])
    expect(await readdir(join(home, 'served'))).toEqual(['secret-key'])
    await target.drop()
  })
})
