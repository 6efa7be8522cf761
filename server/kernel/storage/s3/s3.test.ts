import { ListMultipartUploadsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { describe } from 'vitest'
import { createLog } from '../../log'
import { type Backend, describeStorage } from '../testing/contract'
import { type S3Server, startS3rver, startVersitygw, versitygw } from '../testing/s3-servers'
import { describeSignedUrls } from '../testing/signed-urls'
import { openBucket } from './bucket'
import { openS3Storage } from './open'

// S3's minimum part size.
const partBytes = 5 * 1024 * 1024
const log = createLog('silent')

describeStorage('S3, on s3rver', async () => backendOn(await startS3rver()), {
  partBytes,
  mistakes: 'first byte alone',
})
describe.skipIf(!versitygw)('S3 storage with versitygw', () => {
  describeStorage('S3, on versitygw', async () => backendOn(await startVersitygw()), {
    partBytes,
    more: describeSignedUrls,
  })
})

async function backendOn({ settings, stop }: S3Server): Promise<Backend> {
  const { client, name: Bucket } = openBucket(settings, log)
  return {
    storage: await openS3Storage(settings, log),
    async listAll() {
      const names: string[] = []
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        names.push(...Contents.map(({ Key = '' }) => Key))
      }
      const listing = client.send(new ListMultipartUploadsCommand({ Bucket }))
      const { Uploads = [] } = await listing.catch(() => ({ Uploads: [] }))
      return [...names, ...Uploads.map(({ Key }) => `unfinished ${Key}`)]
    },
    async close() {
      client.destroy()
      await stop()
    },
  }
}
