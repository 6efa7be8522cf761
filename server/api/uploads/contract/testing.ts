import { createHash } from 'node:crypto'
import type { AssetTarget } from '@/testing/releases'
import type { Site } from '@/testing/site'

export interface TusAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any
}

/** Sends one tus request; anonymous without `as`. */
export async function tus(
  site: Pick<Site, 'url'>,
  method: string,
  path: string,
  options: { as?: { token: string } | undefined; headers?: Record<string, string>; body?: BodyInit } = {},
): Promise<TusAnswer> {
  const { as, headers = {}, body } = options
  const response = await fetch(`${site.url}${path}`, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(as ? { authorization: `token ${as.token}` } : {}),
      ...(method === 'PATCH' ? { 'content-type': 'application/offset+octet-stream' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
}

export const metadataOf = (fields: Record<string, string | number>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')

/** Returns `Upload-Metadata` for the release of a scene and a file name. */
export const targetOf = ({ ada, repository, release }: AssetTarget, name = 'tool.bin') => ({
  owner: ada.name,
  repo: repository.name,
  release: release.id,
  name,
})

/** Creates an upload of this size and returns its path. */
export async function begin(
  site: Pick<Site, 'url'>,
  target: AssetTarget,
  size: number,
  more: Record<string, string | number> = {},
): Promise<string> {
  const metadata = metadataOf({ ...targetOf(target), ...more })
  const headers = { 'upload-length': String(size), 'upload-metadata': metadata }
  const answer = await tus(site, 'POST', '/api/uploads', { as: target.ada, headers })
  if (answer.status !== 201) throw new Error(`no upload was begun: ${answer.status} ${answer.body?.message}`)
  return answer.headers.get('location') ?? ''
}

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
