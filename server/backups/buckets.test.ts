import { expect, it, vi } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { startAzurite } from '@/server/kernel/storage/testing/azurite'
import { startS3rver } from '@/server/kernel/storage/testing/s3-servers'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'
import { parseLocation } from './location/address'
import { openLocation } from './location/location'
import { backUp, restoreInto, useContent, verified } from './testing/backed-up-site'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const site = useSite()
const content = useContent(site, 2)

/** Starts a server, and returns an address on it, the settings to reach it, and the parsed settings to expect. */
const servers = {
  async s3() {
    const { settings, stop } = await startS3rver()
    const { endpoint = '', bucket } = settings
    const env = {
      GUILDHALL_S3_ENDPOINT: endpoint,
      GUILDHALL_S3_ACCESS_KEY_ID: 'S3RVER',
      GUILDHALL_S3_SECRET_ACCESS_KEY: 'S3RVER',
    }
    return { address: `s3://${bucket}/some/backups/`, env, expected: { kind: 's3', bucket }, stop }
  },
  async azure() {
    const { settings, stop } = await startAzurite()
    const { endpoint, account, accountKey, container } = settings
    const env = {
      GUILDHALL_AZURE_ENDPOINT: endpoint,
      GUILDHALL_AZURE_ACCOUNT: account,
      GUILDHALL_AZURE_ACCOUNT_KEY: accountKey,
    }
    return {
      ...{ address: `azure://${container}/some/backups`, env, stop },
      expected: { kind: 'azure', container },
    }
  },
}

it.each(series<(keyof typeof servers)[]>(['s3'], ['s3', 'azure']))(
  'a backup in a bucket of the kind %s can be restored, and the next one copies nothing again',
  { tags: 'series' },
  async kind => {
    const { address, env, expected, stop } = await servers[kind]()
    const settings = parseLocation(address, env)
    expect([settings.data, settings.snapshots]).toMatchObject([
      { ...expected, prefix: 'some/backups/data/' },
      { ...expected, prefix: 'some/backups/snapshots/' },
    ])
    const location = await openLocation(settings, { secrets: {}, log: createLog('silent'), create: true })
    const first = await backUp(site, location, { workDir: content.path() })
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
    await stop()
  },
)

it('parseLocation refuses other kinds of addresses', () => {
  expect(() => parseLocation('ftp://example.com/backups', {})).toThrow('expected a path')
  expect(() => parseLocation('azure://backups/site', {})).toThrow('GUILDHALL_AZURE_ACCOUNT')
})
