import { makeAttachment, makeRelease, makeRepository } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from './call'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** A release of a person's public repository, without files. */
export interface AssetTarget {
  ada: Person
  repository: { id: number; name: string }
  release: { id: number; repository_id: number; tag_name: string }
  /** Of its files, below /api/v1. */
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
  /** In the query. */
  name?: string
  /** Of the file in a form. */
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

/** Both ways to add a file over the API. */
export const waysToUpload = [
  ['a form', sendForm],
  ['a raw body', sendRaw],
] as const

/** Adds a file and gives what the API shows of it. */
export async function upload(
  site: Site,
  { path, ada }: Pick<AssetTarget, 'path' | 'ada'>,
  sent: Sent,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into all parts of it.
): Promise<any> {
  const answer = await sendRaw(site, path, ada, sent)
  if (answer.status !== 201) throw new Error(`the upload was refused: ${answer.text}`)
  return answer.body
}

/** Adds files that are in the database alone. */
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
