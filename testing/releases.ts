import { makeAttachment, makeRelease, makeRepository } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from './call'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** A release without files in a person's public repository. */
export interface AssetTarget {
  ada: Person
  repository: { id: number; name: string }
  release: { id: number; repository_id: number; tag_name: string }
  /** The API path of the release's files, below `/api/v1`. */
  path: string
}

export async function makeAssetTarget(
  site: Site,
  release: Parameters<typeof makeRelease>[2] = { tag_name: 'v1.0' },
): Promise<AssetTarget> {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const made = await makeRelease(site.db, repository.id, release)
  return {
    ada,
    repository,
    release: made,
    path: `/repos/${ada.name}/${repository.name}/releases/${made.id}/assets`,
  }
}

export interface Sent {
  bytes?: Uint8Array<ArrayBuffer> | string
  /** The file name in the query string. */
  name?: string
  /** The name of the file in a form. */
  fileName?: string
  replace?: boolean
}

type Send = (site: Site, path: string, as: CallOptions['as'], sent: Sent) => Promise<Answer>

const sendForm: Send = (site, path, as, sent) => {
  const raw = new FormData()
  raw.append('attachment', new File([sent.bytes ?? 'hello'], sent.fileName ?? 'notes.txt'))
  return call(site, 'POST', withQuery(path, sent), { ...(as && { as }), raw })
}

const sendRaw: Send = (site, path, as, sent) => {
  const headers = { 'content-type': 'application/octet-stream' }
  return call(site, 'POST', withQuery(path, sent), { ...(as && { as }), raw: sent.bytes ?? 'hello', headers })
}

/** The two ways to upload a file with the REST API. */
export const waysToUpload = [
  ['a form', sendForm],
  ['a raw body', sendRaw],
] as const

/** Uploads a file and returns the attachment from the API response. */
export async function upload(
  site: Site,
  { path, ada }: Pick<AssetTarget, 'path' | 'ada'>,
  sent: Sent,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into all parts of it.
): Promise<any> {
  const answer = await sendRaw(site, path, ada, sent)
  if (answer.status !== 201) throw new Error(`the upload was rejected: ${answer.text}`)
  return answer.body
}

/** Inserts files into the database only, without stored content. */
export async function insertFiles(
  site: Site,
  { release }: AssetTarget,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await makeAttachment(site.db, release, { name })
}

function withQuery(path: string, { name, replace }: Sent): string {
  const query = new URLSearchParams({
    ...(name !== undefined && { name }),
    ...(replace !== undefined && { replace: String(replace) }),
  })
  return query.size > 0 ? `${path}?${query}` : path
}
