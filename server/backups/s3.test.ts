import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { type S3Server, startS3rver } from '@/server/kernel/storage/testing/s3-servers'
import { useSite } from '@/testing/site'
import { parseLocation } from './location/address'
import { openLocation } from './location/location'
import { backUp, restoreInto, useContent, verified } from './testing/backed-up-site'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const site = useSite()
const content = useContent(site, 2)
let server: S3Server
beforeAll(async () => {
  server = await startS3rver()
})
afterAll(() => server?.stop())

it('a backup in a bucket can be restored, and the next one copies nothing again', async () => {
  const { endpoint = '', bucket } = server.settings
  const settings = parseLocation(`s3://${bucket}/some/backups/`, {
    GUILDHALL_S3_ENDPOINT: endpoint,
    GUILDHALL_S3_ACCESS_KEY_ID: 'S3RVER',
    GUILDHALL_S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
  expect([settings.data, settings.snapshots]).toMatchObject([
    { kind: 's3', bucket, prefix: 'some/backups/data/' },
    { kind: 's3', bucket, prefix: 'some/backups/snapshots/' },
  ])
  const location = await openLocation(settings, { secrets: {}, log: createLog('silent'), create: true })
  const workDir = content.path()
  const first = await backUp(site, location, { workDir })
  expect(first.copiedBytes).toBe(first.sizeBytes)
  const pieces = async () => {
    let count = 0
    for await (const _ of location.data.list()) count++
    return count
  }
  const before = await pieces()
  await backUp(site, location, { workDir: content.path() })
  expect((await pieces()) - before).toBe(2)
  expect(await verified(location)).toMatchObject({ repositories: 2, objects: 2, faults: [] })
  const restored = await restoreInto(content.path(), location)
  expect(restored.summary).toMatchObject({ repositories: 2, objects: 2 })
  await restored.database.close()
})

it('parseLocation refuses other kinds of addresses', () => {
  expect(() => parseLocation('ftp://example.com/backups', {})).toThrow('expected a path')
  expect(() => parseLocation('azure://backups/site', {})).toThrow('GUILDHALL_AZURE_ACCOUNT')
})
