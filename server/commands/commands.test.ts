import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exportDatabase } from '@/db/backup/export'
import { openDatabase } from '@/db/client'
import { lockDirectory } from '@/db/embedded/lock'
import { compileScript } from '@/db/testing/child-process'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { startPostgres } from '@/db/testing/postgres-server'
import { copyServerDatabase, createServerDatabase } from '@/db/testing/server-template'
import { newIdentity, recipientOf } from '@/server/kernel/age'
import { parseConfig } from '@/server/kernel/config'
import { openServices } from '@/server/services'
import { type CommandName, runCommand } from './command'

// Creating an embedded database takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const server = await startPostgres()
const before = process.cwd()
let home: string
/** The instance with one user and a key that the tests share, on a server if there is one. */
let instance: Record<string, string>
/** The location of its encrypted backup. */
let backup: string
/** What encrypts backups faster than a passphrase does, and the option that opens them. */
let sealing: Record<string, string>
let identity: string[]
const drops: (() => Promise<void>)[] = []

/** Runs a command in this process, with only these environment variables. */
async function command(name: CommandName, args: string[], env: Record<string, string>) {
  const { code, output, errors } = await runCommand(name, args, env)
  return { code, output, errors: errors.trim() }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-commands-'))
  instance = await emptyInstance('instance')
  await addKeeper(instance)
  backup = join(home, 'kept')
  const key = newIdentity()
  sealing = { GUILDHALL_BACKUP_PUBLIC_KEY: recipientOf(key) }
  await writeFile(join(home, 'identity'), `# created\n${key}\n`)
  identity = ['--identity', join(home, 'identity')]
  process.chdir(home)
})
afterAll(async () => {
  process.chdir(before)
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
  it('writes to the location that is passed, where only its owner can read', async () => {
    const { code, output, errors } = await command('backup', [backup], { ...instance, ...sealing })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(/^Backed up the site as of .*: 0 repositories, 0 objects, .* are new\.$/m)
    for (const name of await readdir(backup, { recursive: true })) {
      expect((await stat(join(backup, name))).mode & 0o077).toBe(0)
    }
  })

  it('writes to the location of scheduled backups if none is passed', async () => {
    const env = { ...instance, GUILDHALL_BACKUP_TO: join(home, 'scheduled') }
    expect((await command('backup', [], env)).code).toBe(0)
    expect((await readdir(join(home, 'scheduled'))).sort()).toEqual(['data', 'snapshots'])
    expect(await command('backup', [], instance)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('name the location'),
    })
  })

  it('fails and asks to stop what is using the embedded database if that serves no backups', async () => {
    const used = await emptyEmbedded('used')
    const lock = await lockDirectory(join(home, 'used', 'postgres'))
    const { code, errors } = await command('backup', [join(home, 'never')], used)
    await lock.release()
    expect(code).toBe(1)
    expect(errors).toBe(
      `backup: stop the server first (process ${process.pid} is using ${join(home, 'used', 'postgres')})`,
    )
    expect(await readdir(home)).not.toContain('never')
  })

  it('contains the secret key only if it is encrypted, and says so', async () => {
    const plain = await command('backup', [join(home, 'plain')], instance)
    expect(plain.output).toContain('The secret key of this site is not in it. Store it separately.')
    const passphrase = { GUILDHALL_BACKUP_PASSPHRASE: 'correct horse battery' }
    const sealed = await command('backup', [join(home, 'sealed')], { ...instance, ...passphrase })
    expect(sealed.output).toContain('The secret key of this site is in it, encrypted.')
    const result = await command('backup', [join(home, 'keyless')], {
      ...{ ...instance, ...sealing },
      GUILDHALL_SECRET_KEY: 'e'.repeat(32),
    })
    expect(result.output).toContain('is not in it')
  })

  it('fails, and is recorded as failed, if what was backed up to a location before is not there', async () => {
    const mounted = join(home, 'mounted')
    expect((await command('backup', [mounted], instance)).code).toBe(0)
    await rename(mounted, join(home, 'unmounted'))
    await mkdir(mounted)
    const { code, errors } = await command('backup', [mounted], instance)
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^backup: the backups that were made to .*mounted are not there; mount it, or delete /,
    )
    expect(await readdir(mounted)).toEqual([])
    const open = await openInstance(instance)
    const last = await open.db
      .selectFrom('backups')
      .select('outcome')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    await open.close()
    expect(last).toEqual({ outcome: 'failed' })
  })

  it('fails without creating a database if there is none', async () => {
    const { code, errors } = await command('backup', [join(home, 'unused')], at('nothing'))
    expect(code).toBe(1)
    expect(errors).toContain('there is no database in')
    expect(await readdir(home)).not.toContain('nothing')
  })

  it('fails in one line that names the location and the cause if it cannot be used', async () => {
    await writeFile(join(home, 'file'), '')
    const inFile = await command('backup', [join(home, 'file', 'inside')], instance)
    expect(inFile).toMatchObject({ code: 1, errors: expect.stringContaining('ENOTDIR') })
    expect(inFile.errors.split('\n')).toHaveLength(1)
    const inProc = await command('backup', ['/proc/backups'], instance)
    expect(inProc.errors).toMatch(/^backup: \/proc\/backups: the directory is not writable: ENOENT/)
    const inAzure = await command('backup', ['azure://backups'], instance)
    expect(inAzure.errors).toBe(
      'backup: azure://backups: GUILDHALL_AZURE_ACCOUNT: required to use Azure Blob Storage',
    )
  })
})

describe('restore', () => {
  it('restores the rows, and the secret key readable only by its owner', async () => {
    const env = await emptyInstance('second')
    const { code, output, errors } = await command('restore', [backup, ...identity], env)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('2 rows in 2 tables')
    expect(await usersIn(env)).toEqual(['keeper'])
    const key = join(home, 'second', 'secret-key')
    expect(await readFile(key, 'utf8')).toBe(`${'5'.repeat(64)}\n`)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
  })

  it('refuses a data directory with a different key before anything is restored', async () => {
    const other = await emptyInstance('other')
    await writeFile(join(home, 'other', 'secret-key'), '6'.repeat(64))
    const { code, errors } = await command('restore', [backup, ...identity], other)
    expect(code).toBe(1)
    expect(errors).toContain('differs from the key in the backup')
    expect(await usersIn(other)).toEqual([])
    expect(await readdir(join(home, 'other'))).not.toContain('repositories')
  })

  it('refuses a site with rows, repositories or objects', async () => {
    const refused = (env: Record<string, string>) => command('restore', [backup, ...identity], env)
    expect(await refused(instance)).toMatchObject({ code: 1, errors: expect.stringContaining('not empty') })
    const full = await emptyInstance('full')
    await mkdir(join(home, 'full', 'repositories', 'ab'), { recursive: true })
    expect(await refused(full)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/repository directory .* is not empty/),
    })
    await rm(join(home, 'full', 'repositories'), { recursive: true })
    await mkdir(join(home, 'full', 'objects', 'ab'), { recursive: true })
    await writeFile(join(home, 'full', 'objects', 'ab', 'ab'.repeat(16)), '')
    expect(await refused(full)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('object storage is not empty'),
    })
  })

  it('still restores the file with a database that a former version wrote', async () => {
    const file = join(home, 'former.backup')
    const open = await openInstance(instance)
    const secretKey = Buffer.from(`${'5'.repeat(64)}\n`).toString('base64')
    await writeFile(file, exportDatabase(open.db, { secretKey }))
    await open.close()
    const former = await emptyInstance('former')
    expect(await command('restore', [file], former)).toMatchObject({ code: 0, errors: '' })
    expect(await usersIn(former)).toEqual(['keeper'])
    expect(await readFile(join(home, 'former', 'secret-key'), 'utf8')).toBe(`${'5'.repeat(64)}\n`)

    await truncate(file, (await stat(file)).size - 9)
    const damaged = await command('restore', [file], await emptyInstance('third'))
    expect(damaged).toMatchObject({ code: 1, errors: expect.stringContaining('damaged or truncated') })
    expect(await readdir(join(home, 'third'))).not.toContain('secret-key')
  })

  it('fails in one line, without creating a database, if there is no backup', async () => {
    const [absent, empty] = [join(home, 'absent'), join(home, 'empty')]
    await mkdir(empty)
    const env = at('fourth')
    expect(await command('restore', [absent], env)).toMatchObject({
      code: 1,
      errors: `restore: there is no backup at ${absent}`,
    })
    expect(await command('restore', [empty], env)).toMatchObject({
      code: 1,
      errors: `restore: ${empty}: there are no backups in this location`,
    })
    expect(await readdir(home)).not.toContain('fourth')
  })
})

describe('verify-backup', () => {
  it('says that a backup can be restored', { tags: 'slow' }, async () => {
    const kept = join(home, 'verified')
    await command('backup', [kept], { ...instance, ...sealing })
    const whole = await command('verify-backup', [...identity, kept], {})
    expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('can be restored: 2 rows') })
  })

  it('says whether all pieces are there, and exits with code 1 and a list of faults otherwise', async () => {
    const quickly = await command('verify-backup', ['--quick', backup], {})
    expect(quickly.output).toContain('are there')
    expect((await command('verify-backup', [backup], {})).errors).toContain('--identity')
    const names = await readdir(join(backup, 'data'), { recursive: true })
    for (const name of names.filter(name => name.length > 32)) await rm(join(backup, 'data', name))
    const damaged = await command('verify-backup', ['--quick', ...identity, backup], {})
    expect(damaged.code).toBe(1)
    expect(damaged.errors).toMatch(
      /^verify-backup: the backup of .* has 2 faults:\n {2}the piece \w+ is missing\n/,
    )
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
    const kept = join(home, 'keyed')
    await command('backup', [kept], keyed)
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

it('db:move without a target asks to set DATABASE_URL, and runs as people do in a process of its own', async () => {
  const script = await compileScript(`import './server/commands/main'`)
  const env = { DATABASE_URL: '', GUILDHALL_SECRET_KEY: '', ...at('nothing') }
  const child = script.start(['db-move'], { cwd: home, env })
  expect(await child.line()).toBeUndefined()
  const { code, errors } = await child.ended()
  await script.remove()
  expect(code).toBe(1)
  expect(errors.trim()).toBe(
    'db:move: set DATABASE_URL to the target, for example postgres://user:password@host:5432/name',
  )
})

describe.skipIf(!server)('commands with a PostgreSQL server', () => {
  it('db:move copies the embedded database into an empty one, by default that of DATABASE_URL, and refuses to repeat it', async () => {
    const source = await emptyEmbedded('moving')
    await addKeeper(source)
    const target = await createServerDatabase(server!.url)
    const env = { ...source, DATABASE_URL: target.url }
    const { code, output } = await command('db-move', [], env)
    expect(code).toBe(0)
    expect(output).toMatch(/^Moved \d+ rows? in/)
    expect(await usersIn(env)).toEqual(['keeper'])

    const again = await command('db-move', [target.url], source)
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('not empty') })
    await target.drop()
  })

  it('restore creates the database that DATABASE_URL names, which can be backed up again', async () => {
    const target = await createServerDatabase(server!.url)
    const env = { DATABASE_URL: target.url, ...at('served') }
    const location = join(home, 'kept by a server')
    expect((await command('backup', [location], instance)).code).toBe(0)
    expect((await command('restore', [location], env)).code).toBe(0)
    expect((await command('backup', [location], env)).code).toBe(0)
    expect(await usersIn(env)).toEqual(['keeper'])

    const copy = await createServerDatabase(server!.url)
    const other = { DATABASE_URL: copy.url, ...at('copied') }
    expect((await command('restore', [location], other)).code).toBe(0)
    const refused = {
      code: 1,
      errors: expect.stringContaining('the backups there are those of another site'),
    }
    expect(await command('backup', [location], other)).toMatchObject(refused)
    expect((await command('backup', ['--foreign', location], other)).code).toBe(0)
    expect(await command('backup', [location], env)).toMatchObject(refused)
    await target.drop()
    await copy.drop()
  })
})
