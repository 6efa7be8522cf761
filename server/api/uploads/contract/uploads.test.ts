import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { DetailedError, Upload } from 'tus-js-client'
import { describe, expect, it, vi } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { type AssetTarget, makeAssetTarget } from '@/testing/releases'
import { useSite } from '@/testing/site'
import { begin, digestOf, metadataOf, targetOf, tus } from './testing'

const site = useSite({ releaseMaxBytes: 64 * 1024 * 1024, releaseAllowedTypes: [] })
const mib = 1024 * 1024

const makeTarget = () => makeAssetTarget(site)
const filesOf = async ({ path, ada }: AssetTarget) => (await call(site, 'GET', path, { as: ada })).body

const patch = (target: AssetTarget, path: string, offset: number, body: BodyInit) =>
  tus(site, 'PATCH', path, { as: target.ada, headers: { 'upload-offset': String(offset) }, body })
const offsetOf = async (target: AssetTarget, path: string) => {
  const { headers, status } = await tus(site, 'HEAD', path, { as: target.ada })
  return status === 200 ? Number(headers.get('upload-offset')) : status
}

/** Sends half a body, then disconnects. */
async function breakOff(target: AssetTarget, path: string, bytes: Buffer, offset = 0): Promise<void> {
  const sent = request(`${site.url}${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `token ${target.ada.token}`,
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
  it('can be stopped in tus-js-client, resumes in another client, and becomes a file of the release', async () => {
    const target = await makeTarget()
    const bytes = randomBytes(3 * mib)
    const options = {
      endpoint: `${site.url}/api/uploads`,
      chunkSize: mib,
      retryDelays: null,
      headers: { authorization: `token ${target.ada.token}` },
      metadata: { ...targetOf(target), release: String(target.release.id) },
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
    expect(await filesOf(target)).toEqual([
      expect.objectContaining({ name: 'tool.bin', size: bytes.length, digest: digestOf(bytes) }),
    ])
    const { uuid } = (await filesOf(target))[0]
    const row = await site.db
      .selectFrom('attachments')
      .select(['uploader_id', 'storage_key', 'content_type'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
    expect([row.uploader_id, row.content_type]).toEqual([target.ada.account.id, 'application/octet-stream'])
    const stored = await (await site.services.storage.get(row.storage_key)).toArray()
    expect(Buffer.concat(stored).equals(bytes)).toBe(true)
  })

  it('reports its offset and expiry after each step, and finally the ID of the file', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 8, { name: 'ä.txt', replace: 'true' })
    expect(path).toMatch(/^\/api\/uploads\/[0-9a-f]{32}$/)
    const first = await patch(target, path, 0, 'half')
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '4'])
    const days = (Date.parse(first.headers.get('upload-expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    const head = await tus(site, 'HEAD', path, { as: target.ada })
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-offset': '4',
      'upload-length': '8',
      'upload-metadata': metadataOf({ ...targetOf(target, 'ä.txt'), replace: 'true' }),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    })
    const last = await patch(target, path, 4, ' all')
    const [file] = await filesOf(target)
    expect([last.status, last.headers.get('guildhall-attachment-id')]).toEqual([204, String(file.id)])
    expect([file.name, file.digest]).toEqual(['ä.txt', digestOf('half all')])
  })

  it('is complete if the client missed the final response: HEAD names the file, and no second one appears', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 4)
    await patch(target, path, 0, 'done')
    const head = await tus(site, 'HEAD', path, { as: target.ada })
    const [file] = await filesOf(target)
    expect([head.headers.get('upload-offset'), head.headers.get('guildhall-attachment-id')]).toEqual([
      '4',
      String(file.id),
    ])
    expect((await patch(target, path, 4, '')).status).toBe(204)
    expect(await filesOf(target)).toHaveLength(1)
  })

  it('is finished by the next request if the process was killed after the last byte', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 6)
    await patch(target, path, 0, 'one')
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
    expect(await offsetOf(target, path)).toBe(6)
    expect((await filesOf(target))[0].digest).toBe(digestOf('onetwo'))
  })

  it('keeps the bytes received before the connection broke', async () => {
    const target = await makeTarget()
    const bytes = randomBytes(2 * mib)
    const path = await begin(site, target, bytes.length)
    await breakOff(target, path, bytes.subarray(0, mib))
    const offset = await offsetOf(target, path)
    expect(offset).toBeGreaterThan(0)
    expect(offset).toBeLessThanOrEqual(mib)
    expect((await patch(target, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await filesOf(target))[0].digest).toBe(digestOf(bytes))
  })

  it('of zero bytes becomes an empty file immediately', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 0)
    expect(await offsetOf(target, path)).toBe(0)
    expect((await filesOf(target))[0]).toMatchObject({ size: 0, digest: digestOf('') })
  })

  it('can include bytes in the creation request', async () => {
    const target = await makeTarget()
    const headers = {
      'upload-length': '5',
      'upload-metadata': metadataOf(targetOf(target)),
      'content-type': 'application/offset+octet-stream',
    }
    const answer = await tus(site, 'POST', '/api/uploads', { as: target.ada, headers, body: 'hello' })
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '5'])
    expect((await filesOf(target))[0].digest).toBe(digestOf('hello'))
  })

  it('replaces the file of the same name, which stays available until then', async () => {
    const target = await makeTarget()
    await patch(target, await begin(site, target, 3), 0, 'old')
    const path = await begin(site, target, 6, { replace: 'true' })
    await patch(target, path, 0, 'ne')
    expect((await filesOf(target))[0].digest).toBe(digestOf('old'))
    await patch(target, path, 2, 'wer!')
    const files = await filesOf(target)
    expect([files.length, files[0].digest]).toEqual([1, digestOf('newer!')])
  })

  it('returns 404 after its file is deleted, and does not restore the file', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 3)
    await patch(target, path, 0, 'old')
    await patch(target, await begin(site, target, 3, { replace: 'true' }), 0, 'new')
    expect(await offsetOf(target, path)).toBe(404)
    const files = await filesOf(target)
    expect([files.length, files[0].digest]).toEqual([1, digestOf('new')])
  })

  it('never becomes a file after it is cancelled, even if all bytes were received', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 3)
    const { storage } = site.services
    const { compose } = storage
    using _ = vi.spyOn(storage, 'compose').mockImplementationOnce(async (...upload) => {
      await compose(...upload)
      await site.db.deleteFrom('attachment_uploads').where('id', '=', path.slice(-32)).execute()
    })
    expect((await patch(target, path, 0, 'all')).status).toBe(404)
    expect(await filesOf(target)).toEqual([])
  })

  it.each([[{}], [{ replace: 'true' }]])(
    'with %j is the file that a concurrent request created from it',
    async more => {
      const target = await makeTarget()
      const path = await begin(site, target, 3, more)
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
        other.push(await offsetOf(target, path))
      })
      const answer = await patch(target, path, 0, 'all')
      const files = await filesOf(target)
      expect([other, files.length]).toEqual([[3], 1])
      expect([answer.status, answer.headers.get('guildhall-attachment-id')]).toEqual([
        204,
        String(files[0].id),
      ])
      expect(await offsetOf(target, path)).toBe(3)
    },
  )

  it('can be deleted without deleting the file it became', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 6)
    await patch(target, path, 0, 'one')
    expect((await tus(site, 'DELETE', path, { as: target.ada })).status).toBe(204)
    expect(await offsetOf(target, path)).toBe(404)
    const whole = await begin(site, target, 3)
    await patch(target, whole, 0, 'two')
    expect((await tus(site, 'DELETE', whole, { as: target.ada })).status).toBe(204)
    expect(await filesOf(target)).toHaveLength(1)
  })
})

describe('access to a resumable upload', () => {
  it('is refused with 404 to everyone except its creator, and to them after they lose write access', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 4)
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
      .where('id', '=', target.repository.id)
      .execute()
    expect(await offsetOf(target, path)).toBe(404)
  })

  it('is refused with 401 without credentials, 403 for a token that cannot write, and 404 without write access', async () => {
    const target = await makeTarget()
    const headers = { 'upload-length': '4', 'upload-metadata': metadataOf(targetOf(target)) }
    const begun = async (as?: { token: string }) =>
      (await tus(site, 'POST', '/api/uploads', { as, headers })).status
    expect(await begun()).toBe(401)
    expect(await begun({ token: 'wrong' })).toBe(401)
    expect(await begun({ token: await makeToken(site, target.ada.account.id, ['read:repository']) })).toBe(
      403,
    )
    expect(await begun(await makePerson(site))).toBe(403)
    const secret = await makeTarget()
    await site.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('id', '=', secret.repository.id)
      .execute()
    const hidden = { 'upload-length': '4', 'upload-metadata': metadataOf(targetOf(secret)) }
    expect((await tus(site, 'POST', '/api/uploads', { as: target.ada, headers: hidden })).status).toBe(404)
  })

  it('is granted to a session only from a page of this site that was rendered for the same person', async () => {
    const target = await makeTarget()
    const browser = await signIn(site, target.ada)
    const headers = {
      cookie: browser.cookie,
      'upload-length': '4',
      'upload-metadata': metadataOf(targetOf(target)),
      'sec-fetch-site': 'same-origin',
      [viewerHeader]: viewerName(target.ada.account.id),
    }
    const status = async (changed: Record<string, string> = {}) =>
      (await tus(site, 'POST', '/api/uploads', { headers: { ...headers, ...changed } })).status
    expect(await status()).toBe(201)
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ [viewerHeader]: '0' })).toBe(409)
  })

  it('is refused with 401 if the session ended during the last request', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 3)
    const { cookie } = await signIn(site, target.ada)
    const headers = {
      cookie,
      'upload-offset': '0',
      'sec-fetch-site': 'same-origin',
      [viewerHeader]: viewerName(target.ada.account.id),
    }
    const { storage } = site.services
    const { compose } = storage
    using _ = vi.spyOn(storage, 'compose').mockImplementationOnce(async (...upload) => {
      await compose(...upload)
      await site.db.deleteFrom('sessions').where('user_id', '=', target.ada.account.id).execute()
    })
    expect((await tus(site, 'PATCH', path, { headers, body: 'all' })).status).toBe(401)
    expect(await filesOf(target)).toEqual([])
  })

  it('is refused with 404 after the release is deleted, and after a week without progress', async () => {
    const target = await makeTarget()
    const [one, two] = [await begin(site, target, 4), await begin(site, target, 4)]
    site.now.set(new Date(Date.now() + 8 * 86_400_000))
    expect(await offsetOf(target, one)).toBe(404)
    site.now.set(undefined)
    expect(await offsetOf(target, two)).toBe(0)
    await site.db.deleteFrom('releases').where('id', '=', target.release.id).execute()
    expect(await offsetOf(target, two)).toBe(404)
    expect((await patch(target, two, 0, 'late')).status).toBe(404)
  })
})

describe('two requests for one upload', () => {
  it('continue with the later one: it stops the earlier one, which gets 423', async () => {
    const target = await makeTarget()
    const bytes = randomBytes(mib)
    const path = await begin(site, target, bytes.length)
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        feed = controller
        controller.enqueue(bytes.subarray(0, 100_000))
      },
    })
    const stuck = patch(target, path, 0, body)
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
    const offset = await offsetOf(target, path)
    expect(offset).toBe(100_000)
    const answer = await stuck
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([423, '1'])
    feed?.close()
    expect((await patch(target, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await filesOf(target))[0].digest).toBe(digestOf(bytes))
  })

  it('with the same offset return 409 for all but one, and the file is intact', async () => {
    const target = await makeTarget()
    const bytes = randomBytes(4 * mib)
    const path = await begin(site, target, bytes.length)
    const answers = await Promise.all([0, 0, 0].map(offset => patch(target, path, offset, bytes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    const files = await filesOf(target)
    expect([files.length, files[0].digest]).toEqual([1, digestOf(bytes)])
  })
})

describe('a rejected resumable upload', () => {
  const refusal = async (
    metadata: Record<string, string | number> | string,
    headers: Record<string, string> = { 'upload-length': '4' },
    as?: { token: string },
  ) => {
    const target = await makeTarget()
    const sent = typeof metadata === 'string' ? metadata : metadataOf({ ...targetOf(target), ...metadata })
    const all = { ...headers, ...(sent ? { 'upload-metadata': sent } : {}) }
    const { status, body } = await tus(site, 'POST', '/api/uploads', { as: as ?? target.ada, headers: all })
    return [status, body?.message]
  }

  it('returns 400 and names the metadata field that is missing or invalid', async () => {
    expect(await refusal('')).toEqual([400, expect.stringContaining('owner is missing')])
    expect(await refusal({ release: 'x' })).toEqual([400, expect.stringContaining('release')])
    expect(await refusal({ repo: 'a\0b' })).toEqual([400, expect.stringContaining('repo')])
    expect(await refusal('name !!')).toEqual([400, 'Invalid upload-metadata'])
  })

  it('returns 400 and 413 for the same names and sizes as any other upload', async () => {
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

  it('returns 400, 412 or 501 without a length or without the protocol headers', async () => {
    expect((await refusal({}, {}))[0]).toBe(400)
    expect((await refusal({}, { 'upload-length': '-1' }))[0]).toBe(400)
    expect((await refusal({}, { 'upload-defer-length': '1' }))[0]).toBe(501)
    expect((await refusal({}, { 'upload-length': '4', 'tus-resumable': '0.2' }))[0]).toBe(400)
    const target = await makeTarget()
    const bare = await fetch(`${site.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `token ${target.ada.token}` },
    })
    expect([bare.status, await bare.json()]).toEqual([
      412,
      { message: 'Tus-Resumable Required', url: `${site.url}/api/docs` },
    ])
  })

  it('returns 404 for other paths and 405 for other methods', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 4)
    expect((await tus(site, 'GET', path, { as: target.ada })).headers.get('allow')).toBe(
      'OPTIONS, HEAD, PATCH, DELETE',
    )
    expect((await tus(site, 'PATCH', '/api/uploads', { as: target.ada, body: 'x' })).status).toBe(405)
    expect((await tus(site, 'HEAD', '/api/uploads/x', { as: target.ada })).status).toBe(404)
    expect((await tus(site, 'HEAD', `/api/uploads/${'0'.repeat(32)}`, { as: target.ada })).status).toBe(404)
  })

  it('returns 409 for a wrong offset, and 413 for more bytes than announced', async () => {
    const target = await makeTarget()
    const path = await begin(site, target, 4)
    expect((await patch(target, path, 2, 'xx')).status).toBe(409)
    expect((await patch(target, path, 0, 'xxxxx')).status).toBe(413)
    expect(await offsetOf(target, path)).toBe(0)
  })

  it('returns 429 if there are a hundred unfinished uploads', async () => {
    const target = await makeTarget()
    for (let made = 0; made < 100; made++) await begin(site, target, 4)
    await expect(begin(site, target, 4)).rejects.toThrow('429 you have 100 unfinished uploads')
  })

  it('shows its message in tus clients', async () => {
    const target = await makeTarget()
    const failure = new Promise<Error>(resolve => {
      const upload = new Upload(Buffer.from('x'), {
        endpoint: `${site.url}/api/uploads`,
        retryDelays: null,
        headers: { authorization: `token ${target.ada.token}` },
        metadata: { ...targetOf(target, '..'), release: String(target.release.id) },
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

it('OPTIONS /api/uploads lists the supported protocol version and extensions', async () => {
  const { status, headers } = await tus(site, 'OPTIONS', '/api/uploads')
  expect(status).toBe(204)
  expect(Object.fromEntries(headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination,expiration',
    'tus-max-size': String(64 * mib),
  })
})

it('pages can list and cancel the unfinished uploads of their viewer', async () => {
  const target = await makeTarget()
  const path = await begin(site, target, 9)
  await patch(target, path, 0, 'part')
  await patch(target, await begin(site, target, 1), 0, 'x')
  const browser = await signIn(site, target.ada)
  const release = { owner: target.ada.name, repo: target.repository.name, id: target.release.id }
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

it('cancelling an upload to another release returns 404', async () => {
  const target = await makeTarget()
  const path = await begin(site, target, 9)
  const { id } = await makeRelease(site.db, target.repository.id)
  const browser = await signIn(site, target.ada)
  const asked = { owner: target.ada.name, repo: target.repository.name, id, upload_id: path.slice(-32) }
  expect((await browser.mutate('releases.uploads.cancel', asked)).status).toBe(404)
  expect(await offsetOf(target, path)).toBe(0)
})
