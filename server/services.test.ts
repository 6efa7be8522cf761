import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { parseConfig } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import { openServices } from './services'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-services-'))
  await copyEmbeddedDirectory(join(dataDir, 'postgres'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const openWithAdmin = (name: string) =>
  openServices(
    parseConfig({
      GUILDHALL_DATA_DIR: dataDir,
      GUILDHALL_LOG_LEVEL: 'silent',
      GUILDHALL_ADMIN_USER: name,
      GUILDHALL_ADMIN_PASSWORD: 'a long enough password',
      GUILDHALL_ADMIN_EMAIL: 'ada@example.com',
    }),
  )

it('openServices rejects an invalid name of the first administrator, naming the setting and a valid example', async () => {
  const opening = openWithAdmin('user')
  await expect(opening).rejects.toThrow(ConfigError)
  await expect(opening).rejects.toThrow(
    'GUILDHALL_ADMIN_USER: name is reserved [name: user]; choose another name, such as site-admin',
  )
  // The data directory is released, so the next attempt can use a valid name.
  const services = await openWithAdmin('site-admin')
  await services.database.close()
}, 120_000)

it('openServices rejects a directory that is a file and a database that cannot be reached, naming the setting', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  const openWith = (environment: Record<string, string>) =>
    openServices(parseConfig({ GUILDHALL_DATA_DIR: dataDir, GUILDHALL_LOG_LEVEL: 'silent', ...environment }))
  await expect(openWith({ GUILDHALL_DATA_DIR: file })).rejects.toThrow(/^GUILDHALL_DATA_DIR: EEXIST/)
  await expect(openWith({ GUILDHALL_REPOSITORY_DIR: file })).rejects.toThrow(/^GUILDHALL_REPOSITORY_DIR: /)
  await expect(openWith({ DATABASE_URL: 'postgres://ada@127.0.0.1:1/none' })).rejects.toThrow(
    /^DATABASE_URL: cannot connect/,
  )
}, 60_000)
