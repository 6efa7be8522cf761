import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { DetailedError, Upload } from 'tus-js-client'
import { describe, expect, it, vi } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { viewerHeader, viewerName } from '@/server/kernel/auth/page-viewer'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { type AssetPlace, makeAssetPlace } from '@/testing/releases'
import { useSite } from '@/testing/site'
import { begin, digestOf, metadataOf, targetOf, tus } from './testing'

const site = useSite({ releaseMaxBytes: 64 * 1024 * 1024, releaseAllowedTypes: [] })
const mib = 1024 * 1024

const makePlace = () => makeAssetPlace(site)
const filesOf = async ({ path, ada }: AssetPlace) => (await call(site, 'GET', path, { as: ada })).body

const patch = (place: AssetPlace, path: string, offset: number, body: BodyInit) =>
  tus(site, 'PATCH', path, { as: place.ada, headers: { 'upload-offset': String(offset) }, body })
const offsetOf = async (place: AssetPlace, path: string) => {
  const { headers, status } = await tus(site, 'HEAD', path, { as: place.ada })
  return status === 200 ? Number(headers.get('upload-offset')) : status
}

/** Sends half a body, then disconnects. */
async function breakOff(place: AssetPlace, path: string, bytes: Buffer, offset = 0): Promise<void> {
  const sent = request(`${site.url}${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `token ${place.ada.token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': offset,
      'content-length': 2 * bytes.length,
    },
  })
  sent.on('error', () => undefined)
  await new Promise<void>(resolve => sent.write(bytes, () => resolve()))
  // Ended, not destroyed, so that the sent bytes arrive.
  sent.socket?.end()
  await once(sent, 'close').catch(() => undefined)
}

describe('a resumable upload', () => {
  it('by tus-js-client can be stopped, resumes in another client, and becomes a file of the release', async () => {
    const place = await makePlace()
    const bytes = randomBytes(3 * mib)
    const options = {
      endpoint: `${site.url}/api/uploads`,
      chunkSize: mib,
      retryDelays: null,
      headers: { authorization: `token ${place.ada.token}` },
      metadata: { ...targetOf(place), release: String(place.release.id) },
    }
    let url: string | null = null
    await new Promise<void>((resolve, reject) => {
      const first = new Upload(bytes, {
        ...options,
        onError: reject,
        onChunkComplete: () => {
          url = first.url
          void first.abort().then(resolve)
        },
      })
      void first.start()
    })
    await new Promise<void>((resolve, reject) => {
      const second = new Upload(bytes, {
        ...options,
        uploadUrl: url,
        onError: reject,
        onSuccess: () => resolve(),
      })
      void second.start()
    })
    expect(await filesOf(place)).toEqual([
      expect.objectContaining({ name: 'tool.bin', size: bytes.length, digest: digestOf(bytes) }),
    ])
    const { uuid } = (await filesOf(place))[0]
    const row = await site.db
      .selectFrom('attachments')
      .select(['uploader_id', 'storage_key', 'content_type'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
    expect([row.uploader_id, row.content_type]).toEqual([place.ada.account.id, 'application/octet-stream'])
    const stored = await (await site.services.storage.get(row.storage_key)).toArray()
    expect(Buffer.concat(stored).equals(bytes)).toBe(true)
  })

  it('reports its offset and expiry after each step, and finally the id of the file', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 8, { name: 'ä.txt', replace: 'true' })
    expect(path).toMatch(/^\/api\/uploads\/[0-9a-f]{32}$/)
    const first = await patch(place, path, 0, 'half')
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '4'])
    const days = (Date.parse(first.headers.get('upload-expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    const head = await tus(site, 'HEAD', path, { as: place.ada })
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-offset': '4',
      'upload-length': '8',
      'upload-metadata': metadataOf({ ...targetOf(place, 'ä.txt'), replace: 'true' }),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    })
    const last = await patch(place, path, 4, ' all')
    const [file] = await filesOf(place)
    expect([last.status, last.headers.get('guildhall-attachment-id')]).toEqual([204, String(file.id)])
    expect([file.name, file.digest]).toEqual(['ä.txt', digestOf('half all')])
  })

  it('is complete if the client missed the final response: HEAD names the file, and no second one appears', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 4)
    await patch(place, path, 0, 'done')
    const head = await tus(site, 'HEAD', path, { as: place.ada })
    const [file] = await filesOf(place)
    expect([head.headers.get('upload-offset'), head.headers.get('guildhall-attachment-id')]).toEqual([
      '4',
      String(file.id),
    ])
    expect((await patch(place, path, 4, '')).status).toBe(204)
    expect(await filesOf(place)).toHaveLength(1)
  })

  it('is finished by the next request if the process was killed after the last byte', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 6)
    await patch(place, path, 0, 'one')
    // The state that a kill at that point leaves.
    const row = await site.db
      .updateTable('attachment_uploads')
      .set({ received: 6, parts: 2 })
      .where('id', '=', path.split('/').at(-1) ?? '')
      .returning('storage_key')
      .executeTakeFirstOrThrow()
    await site.services.storage.putPart(
      row.storage_key,
      1,
      (async function* () {
        yield Buffer.from('two')
      })(),
    )
    expect(await offsetOf(place, path)).toBe(6)
    expect((await filesOf(place))[0].digest).toBe(digestOf('onetwo'))
  })

  it('keeps the bytes received before the connection broke', async () => {
    const place = await makePlace()
    const bytes = randomBytes(2 * mib)
    const path = await begin(site, place, bytes.length)
    await breakOff(place, path, bytes.subarray(0, mib))
    const offset = await offsetOf(place, path)
    expect(offset).toBeGreaterThan(0)
    expect(offset).toBeLessThanOrEqual(mib)
    expect((await patch(place, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await filesOf(place))[0].digest).toBe(digestOf(bytes))
  })

  it('of zero bytes becomes an empty file immediately', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 0)
    expect(await offsetOf(place, path)).toBe(0)
    expect((await filesOf(place))[0]).toMatchObject({ size: 0, digest: digestOf('') })
  })

  it('can include bytes in the creation request', async () => {
    const place = await makePlace()
    const headers = {
      'upload-length': '5',
      'upload-metadata': metadataOf(targetOf(place)),
      'content-type': 'application/offset+octet-stream',
    }
    const answer = await tus(site, 'POST', '/api/uploads', { as: place.ada, headers, body: 'hello' })
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '5'])
    expect((await filesOf(place))[0].digest).toBe(digestOf('hello'))
  })

  it('replaces the file of the same name, which stays available until then', async () => {
    const place = await makePlace()
    await patch(place, await begin(site, place, 3), 0, 'old')
    const path = await begin(site, place, 6, { replace: 'true' })
    await patch(place, path, 0, 'ne')
    expect((await filesOf(place))[0].digest).toBe(digestOf('old'))
    await patch(place, path, 2, 'wer!')
    const files = await filesOf(place)
    expect([files.length, files[0].digest]).toEqual([1, digestOf('newer!')])
  })

  it('404: is gone after its file is deleted, and does not bring the file back', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 3)
    await patch(place, path, 0, 'old')
    await patch(place, await begin(site, place, 3, { replace: 'true' }), 0, 'new')
    expect(await offsetOf(place, path)).toBe(404)
    const files = await filesOf(place)
    expect([files.length, files[0].digest]).toEqual([1, digestOf('new')])
  })

  it('becomes no file after it is cancelled, even if all bytes were received', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 3)
    const { storage } = site.services
    const { compose } = storage
    using _ = vi.spyOn(storage, 'compose').mockImplementationOnce(async (...upload) => {
      await compose(...upload)
      await site.db.deleteFrom('attachment_uploads').where('id', '=', path.slice(-32)).execute()
    })
    expect((await patch(place, path, 0, 'all')).status).toBe(404)
    expect(await filesOf(place)).toEqual([])
  })

  it.each([[{}], [{ replace: 'true' }]])(
    'with %j is the file that a concurrent request created from it',
    async more => {
      const place = await makePlace()
      const path = await begin(site, place, 3, more)
      const { storage } = site.services
      const { compose } = storage
      const other: (number | string)[] = []
      using _ = vi.spyOn(storage, 'compose').mockImplementationOnce(async (...upload) => {
        await compose(...upload)
        // As if the process had stalled for longer than the lease.
        await site.db
          .updateTable('attachment_uploads')
          .set({ lock_token: null })
          .where('id', '=', path.slice(-32))
          .execute()
        other.push(await offsetOf(place, path))
      })
      const answer = await patch(place, path, 0, 'all')
      const files = await filesOf(place)
      expect([other, files.length]).toEqual([[3], 1])
      expect([answer.status, answer.headers.get('guildhall-attachment-id')]).toEqual([
        204,
        String(files[0].id),
      ])
      expect(await offsetOf(place, path)).toBe(3)
    },
  )

  it('can be deleted without deleting the file it became', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 6)
    await patch(place, path, 0, 'one')
    expect((await tus(site, 'DELETE', path, { as: place.ada })).status).toBe(204)
    expect(await offsetOf(place, path)).toBe(404)
    const whole = await begin(site, place, 3)
    await patch(place, whole, 0, 'two')
    expect((await tus(site, 'DELETE', whole, { as: place.ada })).status).toBe(204)
    expect(await filesOf(place)).toHaveLength(1)
  })
})

describe('access to a resumable upload', () => {
  it('404: for everyone except its creator, and for them after they lose write access', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 4)
    const others = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    for (const as of others) {
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const headers = { 'upload-offset': '0' }
        const answer = await tus(site, method, path, {
          as,
          headers,
          ...(method === 'PATCH' && { body: 'x' }),
        })
        expect(answer.status, method).toBe(404)
      }
    }
    await site.db
      .updateTable('repositories')
      .set({ owner_id: others[0]?.account.id ?? 0 })
      .where('id', '=', place.repository.id)
      .execute()
    expect(await offsetOf(place, path)).toBe(404)
  })

  it('401, 403 and 404: without credentials, with a token that cannot write, or without write access', async () => {
    const place = await makePlace()
    const headers = { 'upload-length': '4', 'upload-metadata': metadataOf(targetOf(place)) }
    const begun = async (as?: { token: string }) =>
      (await tus(site, 'POST', '/api/uploads', { as, headers })).status
    expect(await begun()).toBe(401)
    expect(await begun({ token: 'wrong' })).toBe(401)
    expect(await begun({ token: await makeToken(site, place.ada.account.id, ['read:repository']) })).toBe(403)
    expect(await begun(await makePerson(site))).toBe(403)
    const secret = await makePlace()
    await site.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('id', '=', secret.repository.id)
      .execute()
    const hidden = { 'upload-length': '4', 'upload-metadata': metadataOf(targetOf(secret)) }
    expect((await tus(site, 'POST', '/api/uploads', { as: place.ada, headers: hidden })).status).toBe(404)
  })

  it('201 and 403: sessions work only from a page of this site rendered for the same person', async () => {
    const place = await makePlace()
    const browser = await signIn(site, place.ada)
    const headers = {
      cookie: browser.cookie,
      'upload-length': '4',
      'upload-metadata': metadataOf(targetOf(place)),
      'sec-fetch-site': 'same-origin',
      [viewerHeader]: viewerName(place.ada.account.id),
    }
    const status = async (changed: Record<string, string> = {}) =>
      (await tus(site, 'POST', '/api/uploads', { headers: { ...headers, ...changed } })).status
    expect(await status()).toBe(201)
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ [viewerHeader]: '0' })).toBe(409)
  })

  it('401: if the session ended during the last request', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 3)
    const { cookie } = await signIn(site, place.ada)
    const headers = {
      cookie,
      'upload-offset': '0',
      'sec-fetch-site': 'same-origin',
      [viewerHeader]: viewerName(place.ada.account.id),
    }
    const { storage } = site.services
    const { compose } = storage
    using _ = vi.spyOn(storage, 'compose').mockImplementationOnce(async (...upload) => {
      await compose(...upload)
      await site.db.deleteFrom('sessions').where('user_id', '=', place.ada.account.id).execute()
    })
    expect((await tus(site, 'PATCH', path, { headers, body: 'all' })).status).toBe(401)
    expect(await filesOf(place)).toEqual([])
  })

  it('404: after the release is deleted, and after a week without progress', async () => {
    const place = await makePlace()
    const [one, two] = [await begin(site, place, 4), await begin(site, place, 4)]
    site.now.set(new Date(Date.now() + 8 * 86_400_000))
    expect(await offsetOf(place, one)).toBe(404)
    site.now.set(undefined)
    expect(await offsetOf(place, two)).toBe(0)
    await site.db.deleteFrom('releases').where('id', '=', place.release.id).execute()
    expect(await offsetOf(place, two)).toBe(404)
    expect((await patch(place, two, 0, 'late')).status).toBe(404)
  })
})

describe('two requests for one upload', () => {
  it('the later one stops the earlier one, which gets 423, and continues from there', async () => {
    const place = await makePlace()
    const bytes = randomBytes(mib)
    const path = await begin(site, place, bytes.length)
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        feed = controller
        controller.enqueue(bytes.subarray(0, 100_000))
      },
    })
    const stuck = patch(place, path, 0, body)
    await expect
      .poll(
        async () =>
          (
            await site.db
              .selectFrom('attachment_uploads')
              .select('lock_token')
              .where('id', '=', path.slice(-32))
              .executeTakeFirst()
          )?.lock_token,
      )
      .toBeTruthy()
    const offset = await offsetOf(place, path)
    expect(offset).toBe(100_000)
    const answer = await stuck
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([423, '1'])
    feed?.close()
    expect((await patch(place, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await filesOf(place))[0].digest).toBe(digestOf(bytes))
  })

  it('409: for all but one with the same offset, and the file is intact', async () => {
    const place = await makePlace()
    const bytes = randomBytes(4 * mib)
    const path = await begin(site, place, bytes.length)
    const answers = await Promise.all([0, 0, 0].map(offset => patch(place, path, offset, bytes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    const files = await filesOf(place)
    expect([files.length, files[0].digest]).toEqual([1, digestOf(bytes)])
  })
})

describe('a rejected resumable upload', () => {
  const refusal = async (
    metadata: Record<string, string | number> | string,
    headers: Record<string, string> = { 'upload-length': '4' },
    as?: { token: string },
  ) => {
    const place = await makePlace()
    const sent = typeof metadata === 'string' ? metadata : metadataOf({ ...targetOf(place), ...metadata })
    const all = { ...headers, ...(sent ? { 'upload-metadata': sent } : {}) }
    const { status, body } = await tus(site, 'POST', '/api/uploads', { as: as ?? place.ada, headers: all })
    return [status, body?.message]
  }

  it('400: names the metadata field that is missing or invalid', async () => {
    expect(await refusal('')).toEqual([400, expect.stringContaining('owner is missing')])
    expect(await refusal({ release: 'x' })).toEqual([400, expect.stringContaining('release')])
    expect(await refusal({ repo: 'a\0b' })).toEqual([400, expect.stringContaining('repo')])
    expect(await refusal('name !!')).toEqual([400, 'Invalid upload-metadata'])
  })

  it('400 and 413: for the same names and sizes as any other upload', async () => {
    expect(await refusal({ name: '..' })).toEqual([400, 'Could not determine name of attachment.'])
    expect(await refusal({ name: 'a\nb' })).toEqual([
      400,
      'attachment name must not contain control characters',
    ])
    const limit = 64 * mib
    expect(await refusal({}, { 'upload-length': String(limit + 1) })).toEqual([
      413,
      `attachment exceeds limit ${limit}`,
    ])
  })

  it('400, 412 and 501: without a length or without the protocol headers', async () => {
    expect((await refusal({}, {}))[0]).toBe(400)
    expect((await refusal({}, { 'upload-length': '-1' }))[0]).toBe(400)
    expect((await refusal({}, { 'upload-defer-length': '1' }))[0]).toBe(501)
    expect((await refusal({}, { 'upload-length': '4', 'tus-resumable': '0.2' }))[0]).toBe(400)
    const place = await makePlace()
    const bare = await fetch(`${site.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `token ${place.ada.token}` },
    })
    expect([bare.status, await bare.json()]).toEqual([
      412,
      { message: 'Tus-Resumable Required', url: `${site.url}/api/docs` },
    ])
  })

  it('404 and 405: for other paths and methods', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 4)
    expect((await tus(site, 'GET', path, { as: place.ada })).headers.get('allow')).toBe(
      'OPTIONS, HEAD, PATCH, DELETE',
    )
    expect((await tus(site, 'PATCH', '/api/uploads', { as: place.ada, body: 'x' })).status).toBe(405)
    expect((await tus(site, 'HEAD', '/api/uploads/x', { as: place.ada })).status).toBe(404)
    expect((await tus(site, 'HEAD', `/api/uploads/${'0'.repeat(32)}`, { as: place.ada })).status).toBe(404)
  })

  it('409 and 413: with a wrong offset, and with more bytes than announced', async () => {
    const place = await makePlace()
    const path = await begin(site, place, 4)
    expect((await patch(place, path, 2, 'xx')).status).toBe(409)
    expect((await patch(place, path, 0, 'xxxxx')).status).toBe(413)
    expect(await offsetOf(place, path)).toBe(0)
  })

  it('429: with a hundred unfinished uploads', async () => {
    const place = await makePlace()
    for (let made = 0; made < 100; made++) await begin(site, place, 4)
    await expect(begin(site, place, 4)).rejects.toThrow('429 you have 100 unfinished uploads')
  })

  it('shows its message in tus clients', async () => {
    const place = await makePlace()
    const failure = new Promise<Error>(resolve => {
      const upload = new Upload(Buffer.from('x'), {
        endpoint: `${site.url}/api/uploads`,
        retryDelays: null,
        headers: { authorization: `token ${place.ada.token}` },
        metadata: { ...targetOf(place, '..'), release: String(place.release.id) },
        onError: resolve,
      })
      void upload.start()
    })
    const error = await failure
    expect(error).toBeInstanceOf(DetailedError)
    expect(JSON.parse((error as DetailedError).originalResponse?.getBody() ?? '{}').message).toBe(
      'Could not determine name of attachment.',
    )
  })
})

it('OPTIONS: lists the supported protocol version and extensions', async () => {
  const { status, headers } = await tus(site, 'OPTIONS', '/api/uploads')
  expect(status).toBe(204)
  expect(Object.fromEntries(headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination,expiration',
    'tus-max-size': String(64 * mib),
  })
})

it('a page can list and cancel unfinished uploads of its viewer', async () => {
  const place = await makePlace()
  const path = await begin(site, place, 9)
  await patch(place, path, 0, 'part')
  await patch(place, await begin(site, place, 1), 0, 'x')
  const browser = await signIn(site, place.ada)
  const release = { owner: place.ada.name, repo: place.repository.name, id: place.release.id }
  const { data } = await browser.query('releases.uploads.list', release)
  expect(data).toEqual([
    {
      id: path.slice(-32),
      name: 'tool.bin',
      size: 9,
      received: 4,
      replaces: false,
      updated_at: expect.any(String),
    },
  ])
  const cancelled = await browser.mutate('releases.uploads.cancel', {
    ...release,
    upload_id: path.slice(-32),
  })
  expect(cancelled.status).toBe(200)
  expect((await browser.query('releases.uploads.list', release)).data).toEqual([])
})

it('404: if a page cancels an upload to another release', async () => {
  const place = await makePlace()
  const path = await begin(site, place, 9)
  const { id } = await makeRelease(site.db, place.repository.id)
  const browser = await signIn(site, place.ada)
  const asked = { owner: place.ada.name, repo: place.repository.name, id, upload_id: path.slice(-32) }
  expect((await browser.mutate('releases.uploads.cancel', asked)).status).toBe(404)
  expect(await offsetOf(place, path)).toBe(0)
})
