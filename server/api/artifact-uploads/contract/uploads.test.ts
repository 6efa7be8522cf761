import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobIds } from '@/db/testing/factories'
import { signUpload } from '@/server/artifacts/signed-path'
import { finalizeArtifact } from '@/server/artifacts/uploads/finalize'
import {
  makeJob,
  makePendingArtifact,
  type PendingArtifact,
} from '@/server/artifacts/uploads/testing/pending'
import { jobContext } from '@/server/services'
import { sendRaw } from '@/testing/raw'
import { useSite } from '@/testing/site'

const site = useSite()
let job: JobIds
beforeAll(async () => {
  job = await makeJob(site.db)
})

const mib = 1024 * 1024
const uuid = randomUUID()
const blockId = (at: number): string => Buffer.from(uuid + String(at).padStart(12, '0')).toString('base64')

interface Upload extends PendingArtifact {
  url: string
}

async function begin(): Promise<Upload> {
  const made = await makePendingArtifact(site.db, job)
  return { ...made, url: site.url + signUpload(site.services.config, made.permit) }
}

type Sent = Omit<RequestInit, 'method'> & { method?: string }

async function send(
  url: string,
  sent: Sent = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, { method: 'PUT', ...sent })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const putBlock = ({ url }: Upload, at: number, body: Uint8Array | string) =>
  send(`${url}&comp=block&blockid=${encodeURIComponent(blockId(at))}`, { body: Buffer.from(body) })

const listOf = (...positions: number[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${positions.map(at => `<Latest>${blockId(at)}</Latest>`).join('')}</BlockList>`

const putList = ({ url }: Upload, body: string) => send(`${url}&comp=blocklist`, { body })

const finalize = ({ artifact }: Upload, bytes: Uint8Array) =>
  finalizeArtifact(jobContext(site.services, 'test'), {
    artifact,
    size: bytes.length,
    hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  })

/** An error as Azure's clients read it. */
function expectError(answer: Awaited<ReturnType<typeof send>>, status: number, code: string): void {
  expect(answer.text).toMatch(
    new RegExp(`^<\\?xml [^>]*\\?><Error><Code>${code}</Code><Message>[^<]+</Message></Error>$`),
  )
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/xml')
  expect(answer.headers.get('x-ms-error-code')).toBe(code)
}

describe('an upload to a signed URL', () => {
  it('gets the same responses as from Azure', async () => {
    const upload = await begin()
    const sent = { body: 'x', headers: { 'x-ms-version': '2026-04-06', 'x-ms-client-request-id': 'mine' } }
    const block = await send(`${upload.url}&comp=block&blockid=${encodeURIComponent(blockId(0))}`, sent)
    expect([block.status, block.text]).toEqual([201, ''])
    expect(Object.fromEntries(block.headers)).toMatchObject({
      'x-ms-request-id': expect.stringMatching(/.+/),
      'x-ms-version': '2026-04-06',
      'x-ms-client-request-id': 'mine',
      date: expect.any(String),
    })
    const list = await putList(upload, listOf(0))
    expect(list.status).toBe(201)
    expect(list.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(Date.parse(list.headers.get('last-modified') ?? '')).not.toBeNaN()
  })

  it('accepts 225 concurrent blocks while another job uploads, too', async () => {
    const [upload, other] = [await begin(), await begin()]
    const blocks = Array.from({ length: 225 }, () => randomBytes(64 * 1024))
    const sending = blocks.map((bytes, at) => putBlock(upload, at, bytes))
    expect((await putBlock(other, 0, 'other')).status).toBe(201)
    const statuses = await Promise.all(sending.map(async sent => (await sent).status))
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect((await putList(upload, listOf(...blocks.keys()))).status).toBe(201)
    expect(await finalize(upload, Buffer.concat(blocks))).toMatchObject({ status: 'finished' })
  })

  it('accepts every form of request that clients send', async () => {
    const whole = await begin()
    const type = { 'x-ms-blob-type': 'BlockBlob' }
    expect((await send(whole.url, { body: 'whole', headers: type })).status).toBe(201)
    expect(await finalize(whole, Buffer.from('whole'))).toMatchObject({ size: 5 })

    const appended = await begin()
    for (const body of ['a', 'b'])
      expect((await send(`${appended.url}&COMP=AppendBlock`, { body })).status).toBe(201)
    expect(await finalize(appended, Buffer.from('ab'))).toMatchObject({ size: 2 })

    const empty = await begin()
    expect((await putList(empty, '<BlockList/>')).status).toBe(201)
    expect(await finalize(empty, Buffer.alloc(0))).toMatchObject({ size: 0 })

    const chunked = await begin()
    const stream = new Blob([Buffer.alloc(3 * mib)]).stream()
    const sent = { body: stream, duplex: 'half' } as Sent
    expect(
      (await send(`${chunked.url}&comp=block&blockid=${blockId(0).replace('=', '%3D')}`, sent)).status,
    ).toBe(201)
    expect(await finalize(chunked, Buffer.alloc(3 * mib))).toMatchObject({ size: 3 * mib })
  })

  it('keeps nothing of a block that was cut short', async () => {
    const upload = await begin()
    const { pathname, search, host } = new URL(upload.url)
    const target = `${pathname}${search}&comp=block&blockid=${encodeURIComponent(blockId(0))}`
    await sendRaw(site, `PUT ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\n\r\nhalf`)
    expectError(await putList(upload, listOf(0)), 400, 'InvalidBlockList')
  })
})

describe('an artifact upload is refused with an error in XML', () => {
  it('if the signature is wrong, missing, repeated or expired, even if there is no such artifact', async () => {
    const { url, permit } = await begin()
    const { config } = site.services
    const elsewhere = url.replace(/upload\/\d+/, 'upload/1')
    const expired = site.url + signUpload(config, { ...permit, expires: 1 })
    const urls = [
      `${url}x`,
      url.split('?')[0] ?? '',
      `${url}&sig=x`,
      elsewhere,
      expired,
      `${site.url}/-/artifacts/upload/x`,
    ]
    for (const wrong of urls) expectError(await send(wrong, { body: 'x' }), 403, 'AuthenticationFailed')
  })

  it('if the task has ended, but not while it is being canceled', async () => {
    const ended = await makeJob(site.db)
    const made = await makePendingArtifact(site.db, ended)
    const upload = { ...made, url: site.url + signUpload(site.services.config, made.permit) }
    const become = (status: 'cancelling' | 'ended') =>
      site.db.updateTable('workflow_tasks').set({ status }).where('id', '=', ended.task_id).execute()
    await become('cancelling')
    expect((await putBlock(upload, 0, 'x')).status).toBe(201)
    await become('ended')
    expectError(await putBlock(upload, 0, 'x'), 403, 'AuthenticationFailed')
    expectError(await putList(upload, listOf(0)), 403, 'AuthenticationFailed')
  })

  it('if the artifact is deleted or finished', async () => {
    const deleted = await begin()
    await site.db.deleteFrom('artifacts').where('id', '=', deleted.artifact.id).execute()
    expectError(await putBlock(deleted, 0, 'x'), 404, 'BlobNotFound')
    const finished = await begin()
    await putBlock(finished, 0, 'x')
    await finalize(finished, Buffer.from('x'))
    expectError(await putBlock(finished, 0, 'x'), 409, 'BlobImmutableDueToPolicy')
  })

  it('if the request is malformed', async () => {
    const upload = await begin()
    const { url } = upload
    const long = encodeURIComponent(Buffer.alloc(65).toString('base64'))
    for (const id of ['', 'a', '%', '%3C%3E%3C%3E', long]) {
      const answer = await send(`${url}&comp=block&blockid=${id}`, { body: 'x' })
      expectError(answer, 400, 'InvalidQueryParameterValue')
    }
    expectError(await send(`${url}&comp=lease`), 400, 'InvalidQueryParameterValue')
    expectError(await send(url, { headers: { 'x-ms-blob-type': 'PageBlob' } }), 400, 'InvalidHeaderValue')
    expectError(await putList(upload, '<BlockList>'), 400, 'InvalidXmlDocument')
    expectError(await putList(upload, listOf(0)), 400, 'InvalidBlockList')
    await putBlock(upload, 0, 'x')
    expectError(await send(`${url}&comp=block&blockid=YQ==`, { body: 'x' }), 400, 'InvalidInput')
  })

  it('if it exceeds the limit, whether its length is announced or not', async () => {
    const { config } = site.services
    config.artifactMaxBytes = 10
    try {
      const upload = await begin()
      expect((await putBlock(upload, 0, '123456')).status).toBe(201)
      expectError(await putBlock(upload, 1, '12345'), 413, 'RequestBodyTooLarge')
      const sent = { body: new Blob(['12345']).stream(), duplex: 'half' } as Sent
      const url = `${upload.url}&comp=block&blockid=${encodeURIComponent(blockId(1))}`
      expectError(await send(url, sent), 413, 'RequestBodyTooLarge')
      expect((await putBlock(upload, 1, '1234')).status).toBe(201)
    } finally {
      config.artifactMaxBytes = Infinity
    }
  })

  it('if the method is not PUT', async () => {
    const { url } = await begin()
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await send(url, { method })
      expectError(answer, 405, 'UnsupportedHttpVerb')
      expect(answer.headers.get('allow')).toBe('PUT')
    }
  })
})
