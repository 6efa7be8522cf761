import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../settings'
import { startPeer } from './peer'

/** An S3-compatible test server with one bucket. */
export interface S3Server {
  settings: S3Settings
  stop(): Promise<void>
}

const bucket = 'guildhall'
const s3rver = fileURLToPath(new URL('../../../../node_modules/s3rver/bin/s3rver.js', import.meta.url))

/** Starts s3rver, an S3 server that neither verifies signatures nor supports copying parts. */
export async function startS3rver(): Promise<S3Server> {
  const peer = await startPeer(process.execPath, (port, directory) => [
    ...[s3rver, '--silent', '--address', '127.0.0.1', '--port', String(port)],
    ...['--directory', directory, '--configure-bucket', bucket],
  ])
  return { ...peer, settings: settingsFor(peer.port, 'S3RVER', 'S3RVER') }
}

/**
 * Path of versitygw, a full S3-compatible server. Tests use it if the variable is set. Install it with `go
 * install github.com/versity/versitygw/cmd/versitygw@latest`.
 */
export const versitygw = process.env.GUILDHALL_TEST_VERSITYGW

export async function startVersitygw(): Promise<S3Server> {
  const [user, password] = ['tester', 'tester-secret']
  const peer = await startPeer(
    versitygw ?? '',
    (port, directory) => {
      const [objects, attributes] = [join(directory, 'objects'), join(directory, 'attributes')]
      for (const path of [objects, attributes]) mkdirSync(path)
      return ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', attributes, objects]
    },
    { ROOT_ACCESS_KEY: user, ROOT_SECRET_KEY: password },
  )
  const settings = settingsFor(peer.port, user, password)
  const { endpoint = '', region, credentials } = settings
  const client = new S3Client({ endpoint, region, forcePathStyle: true, ...(credentials && { credentials }) })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return { ...peer, settings }
}

function settingsFor(port: number, accessKeyId: string, secretAccessKey: string): S3Settings {
  return {
    kind: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: 'some/folder/',
    credentials: { accessKeyId, secretAccessKey },
  }
}
