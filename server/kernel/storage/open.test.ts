import { describe, expect, it } from 'vitest'
import { ConfigError } from '../config-error'
import { createLog } from '../log'
import { openStorage } from './open'
import { startAzurite } from './testing/azurite'
import { startS3rver } from './testing/s3-servers'

const log = createLog('silent')

describe('opening the storage at startup', () => {
  it('fails for a missing bucket with the name of the variable', async () => {
    const { settings, stop } = await startS3rver()
    const preparing = (await openStorage({ ...settings, bucket: 'others' }, log)).prepare()
    await expect(preparing).rejects.toThrow(ConfigError)
    await expect(preparing).rejects.toThrow(/^GUILDHALL_S3_BUCKET: cannot write to "others": NoSuchBucket/)
    await stop()
  })

  it('fails for a missing container or a wrong key with the name of the variable, without revealing the key', async () => {
    const { settings, stop } = await startAzurite()
    const elsewhere = openStorage({ ...settings, container: 'others' }, log)
    await expect(elsewhere).rejects.toThrow(/^GUILDHALL_AZURE_CONTAINER: cannot use the container "others"/)
    const accountKey = Buffer.alloc(64).toString('base64')
    const refused = openStorage({ ...settings, accountKey }, log)
    await expect(refused).rejects.toThrow(/^GUILDHALL_AZURE_ACCOUNT_KEY: /)
    await expect(refused).rejects.not.toThrow(accountKey)
    await stop()
  })

  it('only logs an unreachable bucket or container, and requests to it fail as unavailable', async () => {
    const lines: Record<string, unknown>[] = []
    const loud = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
    const nowhere = { endpoint: 'http://127.0.0.1:1', prefix: '' }
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
    const s3 = { kind: 's3', region: 'us-east-1', bucket: 'files', credentials, ...nowhere } as const
    const azure = { kind: 'azure', account: 'x', accountKey: 'a2V5', container: 'files', ...nowhere } as const
    for (const settings of [s3, azure]) {
      const storage = await openStorage(settings, loud)
      await storage.prepare()
      expect(lines.pop()).toMatchObject({ level: 'warn', reason: expect.stringContaining('ECONNREFUSED') })
      const message = 'the storage cannot be reached right now'
      await expect(storage.size('0'.repeat(32))).rejects.toMatchObject({ kind: 'unavailable', message })
    }
  })
})
