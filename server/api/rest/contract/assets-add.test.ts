import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { insertFiles, makeAssetTarget, waysToUpload } from '@/testing/releases'
import { useSite } from '@/testing/site'

const site = useSite()

const makeTarget = () => makeAssetTarget(site)

const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

describe.each(waysToUpload)('POST …/assets with %s', (_, send) => {
  it('returns 201 and stores the bytes as sent, with the uploader and the permanent URL', async () => {
    const { ada, path, release } = await makeTarget()
    const bytes = randomBytes(100_000)
    const answer = await send(site, path, ada, { bytes, name: 'tool.bin' })
    expect(answer.status).toBe(201)
    const { uuid } = answer.body
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'tool.bin',
      size: 100_000,
      download_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      browser_download_url: `${site.url}/attachments/${uuid}`,
      digest: digestOf(bytes),
    })
    const row = await site.db
      .selectFrom('attachments')
      .select(['uploader_id', 'release_id', 'storage_key'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
    expect([row.uploader_id, row.release_id]).toEqual([ada.account.id, release.id])
    const stored = await site.services.storage.get(row.storage_key)
    expect(Buffer.concat(await stored.toArray())).toEqual(bytes)
  })

  it('returns 201 for an empty file', async () => {
    const { ada, path } = await makeTarget()
    const answer = await send(site, path, ada, { bytes: '', name: 'empty' })
    expect([answer.status, answer.body.size, answer.body.digest]).toEqual([201, 0, digestOf('')])
  })

  it('returns 201 for a file of more than 10 MB', async () => {
    const { ada, path } = await makeTarget()
    const bytes = randomBytes(11 * 1024 * 1024)
    const answer = await send(site, path, ada, { bytes, name: 'large.bin' })
    expect([answer.status, answer.body.size, answer.body.digest]).toEqual([
      201,
      bytes.length,
      digestOf(bytes),
    ])
  })

  it.each([
    ['naïve – 日本語 🚀.tar.gz', 'naïve – 日本語 🚀.tar.gz'],
    ['say "hi".txt', 'say "hi".txt'],
    ["it's 100%;a=b&c+d#e?.txt", "it's 100%;a=b&c+d#e?.txt"],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\plan.doc', 'plan.doc'],
    ['a\\b/c\\d', 'd'],
    ['.hidden', '.hidden'],
    ['a'.repeat(255), 'a'.repeat(255)],
    ['ä'.repeat(127), 'ä'.repeat(127)],
  ])('returns 201 and stores the name %j as %j', async (name, kept) => {
    const { ada, path } = await makeTarget()
    const answer = await send(site, path, ada, { name })
    expect([answer.status, answer.body.name]).toEqual([201, kept])
  })

  it.each(['.', '..', 'a/', 'a\\..', '/', ' '])('returns 400 if %j leaves no name', async name => {
    const { ada, path } = await makeTarget()
    const answer = await send(site, path, ada, { name, fileName: name })
    expect([answer.status, answer.body.message]).toEqual([400, 'Could not determine name of attachment.'])
  })

  it.each([
    ['a'.repeat(256), 'attachment name has 256 bytes; the limit is 255'],
    ['ä'.repeat(128), 'attachment name has 256 bytes; the limit is 255'],
    ['a\u0000b', 'attachment name must not contain control characters'],
    ['a\nb', 'attachment name must not contain control characters'],
    ['a\u0085b', 'attachment name must not contain control characters'],
  ])('returns 400 for the name %j', async (name, message) => {
    const { ada, path } = await makeTarget()
    const answer = await send(site, path, ada, { name })
    expect([answer.status, answer.body]).toEqual([400, { message, url: `${site.url}/api/docs` }])
    expect((await call(site, 'GET', path)).body).toEqual([])
  })

  it('returns 404 if the release does not exist or belongs to another repository', async () => {
    const { ada, path, repository } = await makeTarget()
    const other = await makeTarget()
    const elsewhere = `/repos/${ada.name}/${repository.name}/releases/${other.release.id}/assets`
    for (const at of [path.replace(/\d+\/assets/, '999999/assets'), elsewhere]) {
      const answer = await send(site, at, ada, { name: 'a' })
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    }
  })

  it('returns 401 without credentials, or 404 if the repository is hidden', async () => {
    const { path, repository } = await makeTarget()
    const answer = await send(site, path, undefined, { name: 'a' })
    expect([answer.status, answer.body.message]).toEqual([401, 'token is required'])
    await site.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('id', '=', repository.id)
      .execute()
    expect((await send(site, path, undefined, { name: 'a' })).status).toBe(404)
  })

  it('returns 401 or 403 if the token or the right to act as another user is revoked during the upload', async () => {
    const { ada, path } = await makeTarget()
    const admin = await makePerson(site, { is_admin: true })
    const { storage } = site.services
    const put = storage.put.bind(storage)
    const sendDuring = async (change: () => Promise<unknown>, query: string) => {
      using _ = vi.spyOn(storage, 'put').mockImplementationOnce(async (...file) => {
        const stored = await put(...file)
        await change()
        return stored
      })
      return (await send(site, path + query, query ? admin : ada, query ? {} : { name: 'a' })).status
    }
    const demote = site.db.updateTable('users').set({ is_admin: false }).where('id', '=', admin.account.id)
    expect(await sendDuring(() => demote.execute(), `?sudo=${ada.name}&name=a`)).toBe(403)
    const revoke = site.db.deleteFrom('access_tokens').where('user_id', '=', ada.account.id)
    expect(await sendDuring(() => revoke.execute(), '')).toBe(401)
    expect((await call(site, 'GET', path)).body).toEqual([])
  })

  it('returns 403 without permission to write releases, with the message that clients expect', async () => {
    const { path } = await makeTarget()
    const answer = await send(site, path, await makePerson(site), { name: 'a' })
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'user should have a permission to write to a repo',
    ])
  })

  it('returns 422 if the release has 1,000 files, even for concurrent uploads, unless the upload replaces a file', async () => {
    const target = await makeTarget()
    const { ada, path } = target
    await insertFiles(
      site,
      target,
      Array.from({ length: 998 }, (_, index) => `file ${index}`),
    )
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(name => send(site, path, ada, { name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    expect((await send(site, path, ada, { name: 'file 7', replace: true })).status).toBe(201)
    const answer = await send(site, path, ada, { name: 'one more', replace: true })
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'a release cannot have more than 1000 attachments',
    ])
  })
})

describe('POST …/assets with a form', () => {
  const boundary = 'limit'
  const part = (headers: string, body: string) => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`
  const file = (disposition: string, body = 'hello') =>
    part(`Content-Disposition: form-data; ${disposition}`, body)
  const end = `--${boundary}--\r\n`

  async function post(body: string, query = '', type = `multipart/form-data; boundary=${boundary}`) {
    const { ada, path } = await makeTarget()
    const headers = { 'content-type': type }
    const answer = await call(site, 'POST', path + query, { as: ada, raw: body, headers })
    return { status: answer.status, name: answer.body.name ?? answer.body.message, path }
  }

  const named = file('name="attachment"; filename="sent.txt"')
  const field = part('Content-Disposition: form-data; name="name"', 'field.txt')

  it.each([
    ['the file itself', named, '', 'sent.txt'],
    ['the query, before all', field + named, '?name=query.txt', 'query.txt'],
    ['a field before the file', field + named, '', 'field.txt'],
    ['a field after the file', named + field, '', 'field.txt'],
    [
      'the file if the query and the field are empty',
      part('Content-Disposition: form-data; name="name"', '') + named,
      '?name=',
      'sent.txt',
    ],
    ['a file with a path', file('name="attachment"; filename="C:\\\\tmp\\\\a b.txt"'), '', 'a b.txt'],
    ['a quote escaped as in Go', file('name="attachment"; filename="a\\"b.txt"'), '', 'a"b.txt'],
    ['a quote escaped as in browsers', file('name="attachment"; filename="a%22b.txt"'), '', 'a"b.txt'],
    ['the encoded form', file("name=attachment; filename*=UTF-8''%e2%82%ac.txt"), '', '€.txt'],
    ['plain UTF-8', file('name="attachment"; filename="€ ü.txt"'), '', '€ ü.txt'],
    [
      'the query, for a file without a name',
      part('Content-Disposition: form-data; name=attachment\r\nContent-Type: application/octet-stream', 'x'),
      '?name=a',
      'a',
    ],
    [
      'the file, ignoring one in another field',
      file('name="other"; filename="other.txt"') + named,
      '',
      'sent.txt',
    ],
  ])('returns 201 and takes the name from %s', async (_, body, query, name) => {
    expect(await post(body + end, query)).toMatchObject({ status: 201, name })
  })

  it('returns 201 regardless of the case of the content type', async () => {
    const answer = await post(named + end, '', `Multipart/FORM-Data; boundary="${boundary}"`)
    expect(answer).toMatchObject({ status: 201, name: 'sent.txt' })
  })

  it.each([
    ['without a file', field + end, 'the form has no file in the field attachment'],
    [
      'with the file in another field',
      file('name="file"; filename="a"') + end,
      'the form has no file in the field attachment',
    ],
    [
      'with text instead of a file',
      file('name="attachment"') + end,
      'the form has no file in the field attachment',
    ],
    ['with two files', named + named + end, 'the form has more than one file in the field attachment'],
    [
      'with a file that has no name',
      file('name="attachment"; filename=""') + end,
      'Could not determine name of attachment.',
    ],
    ['that ends inside its file', named.slice(0, -4), 'the form is malformed or incomplete'],
    ['that ends after its file', named, 'the form is malformed or incomplete'],
    ['with 101 fields', field.repeat(101) + named + end, 'the form has more than 100 fields'],
    ['that is not a form', 'hello', 'the form is malformed or incomplete'],
    ['that is empty', '', 'the form is malformed or incomplete'],
  ])('returns 400 for a form %s', async (_, body, message) => {
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, name: message })
    expect((await call(site, 'GET', answer.path)).body).toEqual([])
  })

  it('returns 400 for a form without a boundary', async () => {
    const answer = await post(named + end, '', 'multipart/form-data')
    expect(answer).toMatchObject({ status: 400, name: 'the form is malformed or incomplete' })
  })
})

describe('POST …/assets with a raw body', () => {
  it.each([
    [undefined],
    ['text/plain'],
    ['application/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/mixed; boundary=x'],
  ])('returns 201 and stores a body of content type %s as the file', async type => {
    const { ada, path } = await makeTarget()
    const raw = new Blob(['{"name":"other","a":1}'])
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const answer = await call(site, 'POST', `${path}?name=data`, { as: ada, raw, headers })
    expect([answer.status, answer.body.name, answer.body.size]).toEqual([201, 'data', 22])
  })

  it('returns 400 if the query has no name', async () => {
    const { ada, path } = await makeTarget()
    for (const query of ['', '?name=']) {
      const answer = await call(site, 'POST', path + query, { as: ada, raw: 'hello' })
      expect([answer.status, answer.body.message]).toEqual([400, 'Could not determine name of attachment.'])
    }
  })
})
