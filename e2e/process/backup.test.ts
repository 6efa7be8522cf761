import { execFile } from 'node:child_process'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { addKey, adminToken, allTitles, freshKey } from './api'
import { adminEnvironment, dataDirectory, start } from './guildhall'
import { embeddedSite, siteOnPostgres } from './hooks'

const run = promisify(execFile)
const postgres = await startPostgres()
afterAll(() => postgres?.stop())

const command = async (args: string[], env: Record<string, string>): Promise<string> => {
  const options = { env: { ...process.env, DATABASE_URL: '', ...env } }
  return (await run(process.execPath, ['--liftoff-only', 'dist/command.js', ...args], options)).stdout
}

it('a server makes scheduled backups in another process, and others on command, from which a site can be restored', async () => {
  await using site = await (postgres ? siteOnPostgres(postgres.url) : embeddedSite())
  await using target = await dataDirectory()
  const dataDir = site.environment.GUILDHALL_DATA_DIR ?? ''
  const scheduled = join(dataDir, 'scheduled')
  const environment = { ...site.environment, GUILDHALL_BACKUP_TO: scheduled, GUILDHALL_METRICS: 'on' }
  const guildhall = await start(environment)
  const metric = async (name: string) => {
    const text = await (await fetch(`${guildhall.url}/metrics`)).text()
    return new RegExp(`^guildhall_backup_${name} (\\S+)$`, 'm').exec(text)?.[1]
  }
  while ((await metric('last_complete_bytes')) === undefined) await delay(100)
  expect(await metric('last_failed')).toBe('0')
  expect(Number(await metric('last_complete_timestamp_seconds'))).toBeGreaterThan(Date.now() / 1000 - 600)
  expect((await readdir(scheduled)).sort()).toEqual(['data', 'snapshots'])

  const body = freshKey()
  expect((await addKey(guildhall.url, await adminToken(guildhall.url), body)).status).toBe(201)
  const output = await command(['backup', join(target.path, 'backups')], environment)
  expect(output).toContain('Backed up the site')
  expect(await guildhall.end('SIGTERM')).toBe(0)

  const restoring = { GUILDHALL_DATA_DIR: target.path }
  await copyFile(join(dataDir, 'secret-key'), join(target.path, 'secret-key'))
  expect(await command(['restore', join(target.path, 'backups')], restoring)).toContain('Restored the site')
  const restored = await start({ ...restoring, ...adminEnvironment })
  expect(await allTitles(restored.url, await adminToken(restored.url))).toContain(body.title)
  expect(await restored.end('SIGTERM')).toBe(0)
})
