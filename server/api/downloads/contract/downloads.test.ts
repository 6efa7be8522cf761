import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, makeToken, withPassword } from '@/testing/people'
import { makeReleaseCast, releaseRoles } from '@/testing/release-cast'
import { type AssetTarget, makeAssetTarget, type Sent, upload } from '@/testing/releases'
import { useSite } from '@/testing/site'

const site = useSite()

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(path.startsWith('http') ? path : site.url + path, { method, headers, redirect: 'manual' })
const htmlOf = ({ ada, repository }: AssetTarget) => `/${ada.name}/${repository.name}`

async function makeFile(sent: Sent = {}, release = { tag_name: 'v1.0' }) {
  const target = await makeAssetTarget(site, release)
  const file = await upload(site, target, { name: 'tool.bin', ...sent })
  const count = async () =>
    (await call(site, 'GET', `${target.path}/${file.id}`, { as: target.ada })).body.download_count
  return { ...target, file, html: htmlOf(target), count }
}

describe('a file of a release', () => {
  it('returns 200 and the same bytes at each of its URLs', async () => {
    const bytes = randomBytes(100_000)
    const { html, file } = await makeFile({ bytes }, { tag_name: 'rel/1.0 ü' })
    const paths = [
      `/attachments/${file.uuid}`,
      `${html}/attachments/${file.uuid}`,
      `${html}/releases/attachments/${file.uuid}`,
      `${html}/releases/download/rel/1.0%20%C3%BC/tool.bin`,
      `${html}/releases/download/rel%2F1.0%20%C3%BC/tool.bin`,
      `${html}/releases/latest/download/tool.bin`,
      `${html}/releases/download/latest/tool.bin`,
    ]
    for (const path of paths) {
      const answer = await get(path)
      expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)], path).toEqual([
        200,
        true,
      ])
    }
  })

  it('has a digest, length and ETag, and is never sent as something a browser runs', async () => {
    const { file } = await makeFile({ bytes: 'hello' })
    const answer = await get(file.browser_download_url)
    const digest = createHash('sha256').update('hello').digest('base64')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': '5',
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="tool.bin"; filename*=UTF-8''tool.bin`,
      etag: `"${file.uuid}"`,
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${digest}:`,
      digest: `sha-256=${digest}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
      'cache-control': 'max-age=0, public, must-revalidate, no-transform',
    })
  })

  it.each([
    ['page.html', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
    ['page.html', ' <!-- x --> <html>', 'text/plain; charset=utf-8', 'inline'],
    ['page.html', 'no tag', 'text/plain; charset=utf-8', 'inline'],
    [
      'page.xhtml',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
      'text/plain; charset=utf-8',
      'inline',
    ],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain; charset=utf-8', 'inline'],
    ['a.js', 'alert(1)', 'text/plain; charset=utf-8', 'inline'],
    ['a.md', '# Title', 'text/markdown; charset=utf-8', 'inline'],
    ['a.json', '{"a":1}', 'application/json; charset=utf-8', 'inline'],
    ['a.pdf', '%PDF-1.7\n', 'application/pdf', 'inline'],
    ['a.zip', 'PK\u0003\u0004....', 'application/zip', 'attachment'],
    ['a.html', '\u0001\u0007\u0001', 'application/octet-stream', 'attachment'],
    ['a.deb', '\u0001\u0007\u0001', 'application/x-debian-package', 'attachment'],
    ['empty', '', 'text/plain; charset=utf-8', 'inline'],
  ])('named %s with content %j is sent as %s, %s', async (name, bytes, type, shown) => {
    const { file } = await makeFile({ name, bytes })
    const answer = await get(file.browser_download_url)
    const { headers } = answer
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      type,
      `${shown}; filename="${name}"; filename*=UTF-8''${name}`,
    ])
  })

  it('has its name in both forms of Content-Disposition, one of them plain ASCII', async () => {
    const { html } = await makeFile({ name: 'naïve "é".bin' })
    const answer = await get(`${html}/releases/download/v1.0/${encodeURIComponent('naïve "é".bin')}`)
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="na_ve ___.bin"; filename*=UTF-8''na%C3%AFve%20%22%C3%A9%22.bin`,
    )
  })

  it('returns the headers of a full GET for HEAD, without a body', async () => {
    const { file, count } = await makeFile()
    const [head, full] = [
      await get(file.browser_download_url, { range: 'bytes=0-1' }, 'HEAD'),
      await get(file.browser_download_url),
    ]
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '5'])
    expect(head.headers.get('etag')).toBe(full.headers.get('etag'))
    expect(await count()).toBe(1)
  })

  it('returns 405 for any other method', async () => {
    const { file } = await makeFile()
    expect((await get(file.browser_download_url, {}, 'POST')).status).toBe(405)
  })

  it('returns 404 if it does not exist, belongs to another repository, or has an invalid name', async () => {
    const { html, file } = await makeFile()
    const other = htmlOf(await makeAssetTarget(site))
    const paths = [
      '/attachments/00000000-0000-4000-8000-000000000000',
      '/attachments/x',
      `${other}/attachments/${file.uuid}`,
      `${other}/releases/latest/download/tool.bin`,
      `${html}/releases/download/v1.0/other.bin`,
      `${html}/releases/download/v2.0/tool.bin`,
      `${html}/releases/download/v1.0/%00`,
      `${html}/releases/download/v1.0/%ff`,
      '/nobody/nothing/releases/latest/download/tool.bin',
    ]
    for (const path of paths) expect((await get(path)).status, path).toBe(404)
  })
})

describe('a range of a file', () => {
  it.each([
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=-100', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=8-100', 206, 'bytes 8-9/10', '89'],
    ['bytes=9-9', 206, 'bytes 9-9/10', '9'],
    ['bytes=10-', 416, 'bytes */10', ''],
    ['bytes=-0', 416, 'bytes */10', ''],
    ['bytes=5-2', 200, null, '0123456789'],
    ['bytes=0-1,3-4', 200, null, '0123456789'],
    ['lines=0-1', 200, null, '0123456789'],
    ['bytes=-', 200, null, '0123456789'],
  ])('%s returns %i with Content-Range %s', async (range, status, contentRange, text) => {
    const { file } = await makeFile({ bytes: '0123456789' })
    const answer = await get(file.browser_download_url, { range })
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
      status,
      contentRange,
      text,
    ])
    expect(answer.headers.get('content-length')).toBe(String(text.length))
  })

  it('is sent for If-Range only if the file has not changed', async () => {
    const { file } = await makeFile({ bytes: '0123456789' })
    const status = async (tag: string) =>
      (await get(file.browser_download_url, { range: 'bytes=5-', 'if-range': tag })).status
    expect(await status(`"${file.uuid}"`)).toBe(206)
    for (const tag of ['"other"', `W/"${file.uuid}"`, 'Sun, 22 Nov 2026 10:00:00 GMT'])
      expect(await status(tag)).toBe(200)
  })
})

it('a download with If-Match returns 412 if the file was replaced, and is not counted', async () => {
  const { file, html, count } = await makeFile({ bytes: '0123456789' })
  const status = async (path: string, wanted: string, method = 'GET') =>
    (await get(path, { 'if-match': wanted }, method)).status
  for (const wanted of ['*', `"${file.uuid}"`, `"other", "${file.uuid}"`])
    expect(await status(file.browser_download_url, wanted)).toBe(200)
  for (const wanted of ['"other"', `W/"${file.uuid}"`])
    for (const method of ['GET', 'HEAD'])
      expect(await status(file.browser_download_url, wanted, method)).toBe(412)
  expect(await status(`${html}/releases/download/v1.0/SHA256SUMS`, '"other"')).toBe(412)
  expect(await count()).toBe(3)
})

describe('the download count', () => {
  it('counts each start of a download, even if the client already has the file, but no continuation', async () => {
    const { file, count, html } = await makeFile()
    await get(file.browser_download_url)
    await get(`${html}/releases/download/v1.0/tool.bin`)
    expect(await count()).toBe(2)
    const known = await get(file.browser_download_url, { 'if-none-match': `"x", W/"${file.uuid}"` })
    expect([known.status, await known.text(), await count()]).toEqual([304, '', 3])
    await get(file.browser_download_url, { range: 'bytes=0-1' })
    expect(await count()).toBe(4)
    for (const range of ['bytes=2-', 'bytes=99-']) await get(file.browser_download_url, { range })
    await get(`${html}/releases/download/v1.0/SHA256SUMS`)
    expect(await count()).toBe(4)
  })
})

describe('SHA256SUMS', () => {
  it('lists all files by name, as sha256sum reads it', async () => {
    const target = await makeAssetTarget(site)
    for (const name of ['b', 'a ü', 'C']) await upload(site, target, { name, bytes: name })
    const answer = await get(`${htmlOf(target)}/releases/download/v1.0/SHA256SUMS`)
    const line = (name: string) => `${createHash('sha256').update(name).digest('hex')}  ${name}\n`
    expect([answer.status, await answer.text()]).toEqual([200, ['C', 'a ü', 'b'].map(line).join('')])
    const again = await get(`${htmlOf(target)}/releases/latest/download/SHA256SUMS`, {
      'if-none-match': answer.headers.get('etag') ?? '',
    })
    expect(again.status).toBe(304)
  })

  it('lists the newest of several files with the same name', async () => {
    const target = await makeAssetTarget(site)
    for (const bytes of ['older', 'newer']) await upload(site, target, { name: 'tool', bytes })
    const [file, list] = await Promise.all(
      ['tool', 'SHA256SUMS'].map(async name =>
        (await get(`${htmlOf(target)}/releases/download/v1.0/${name}`)).text(),
      ),
    )
    expect(list).toBe(
      `${createHash('sha256')
        .update(file ?? '')
        .digest('hex')}  tool\n`,
    )
  })

  it('is the uploaded file of that name if there is one', async () => {
    const { html } = await makeFile({ name: 'SHA256SUMS', bytes: 'own' })
    expect(await (await get(`${html}/releases/download/v1.0/SHA256SUMS`)).text()).toBe('own')
  })
})

describe('who may download', () => {
  it('files of a private repository: its readers, with a session, a password, or a token that can read; others get 404', async () => {
    const { ada, file, html, repository } = await makeFile()
    await site.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('id', '=', repository.id)
      .execute()
    const token = async (...scopes: Parameters<typeof makeToken>[2]) => ({
      authorization: `token ${await makeToken(site, ada.account.id, scopes)}`,
    })
    const [name, password] = withPassword(ada).basic
    const stranger = await makePerson(site)
    const session = await signIn(site, ada)
    for (const path of [`/attachments/${file.uuid}`, `${html}/releases/download/v1.0/tool.bin`]) {
      const status = async (headers: Record<string, string> = {}) => (await get(path, headers)).status
      expect(await status()).toBe(404)
      expect(await status({ authorization: `token ${stranger.token}` })).toBe(404)
      expect(await status(await token('read:user'))).toBe(403)
      expect(await status(await token('read:repository'))).toBe(200)
      expect(await status({ authorization: `Basic ${btoa(`${name}:${password}`)}` })).toBe(200)
      expect(await status({ authorization: 'token wrong' })).toBe(401)
      expect(await status({ cookie: session.cookie })).toBe(200)
      const cached = (await get(path, { cookie: session.cookie })).headers.get('cache-control')
      expect(cached).toContain('private')
    }
  })

  it.each(releaseRoles)('files of a draft: %s only with permission to write releases', async role => {
    const cast = await makeReleaseCast(site)
    const draft = await makeRelease(site.db, cast.repository.id, { is_draft: true, tag_name: 'next' })
    const path = `${cast.path}/releases/${draft.id}/assets`
    const file = await upload(site, { path, ada: cast.as.owner as AssetTarget['ada'] }, { name: 'a' })
    const as = cast.as[role]
    const headers: Record<string, string> = as && 'token' in as ? { authorization: `token ${as.token}` } : {}
    const expected = ['releases writer', 'owner', 'site admin'].includes(role) ? 200 : 404
    const html = cast.path.replace('/repos', '')
    for (const at of [`/attachments/${file.uuid}`, `${html}/releases/download/next/a`]) {
      expect((await get(at, headers)).status, at).toBe(expected)
    }
    expect((await get(`${html}/releases/latest/download/a`, headers)).status).toBe(404)
  })
})

it('a file that is replaced during a download arrives complete, and the next download gets the new one', async () => {
  const target = await makeFile({ bytes: randomBytes(8 * 1024 * 1024) })
  const address = `${target.html}/releases/download/v1.0/tool.bin`
  const begun = await get(address)
  await upload(site, target, { name: 'tool.bin', bytes: 'new', replace: true })
  const bytes = Buffer.from(await begun.arrayBuffer())
  expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(target.file.digest)
  expect(await (await get(address)).text()).toBe('new')
})

it('a download redirects to the same file after the owner or repository is renamed', async () => {
  const { ada, repository, html } = await makeFile()
  await call(site, 'PATCH', `/repos/${ada.name}/${repository.name}`, {
    as: ada,
    body: { name: `${repository.name}-new` },
  })
  const answer = await get(`${html}/releases/download/v1.0/tool.bin?a=b&token=secret`)
  expect([answer.status, answer.headers.get('location')]).toEqual([
    301,
    `${html}-new/releases/download/v1.0/tool.bin?a=b`,
  ])
  expect((await get(answer.headers.get('location') ?? '')).status).toBe(200)
})

it('a download redirects with 303 to the storage, with a safe name and type, if direct downloads are on', async () => {
  const { file, count } = await makeFile({ name: 'ü.html', bytes: '<html>' })
  const { services } = site
  const { storage } = services
  services.config.serveDirect = true
  const asked: object[] = []
  services.storage = {
    ...storage,
    signedUrl: async (_, answer) => {
      asked.push(answer)
      return 'https://bucket.test/x?sig=y'
    },
  }
  try {
    const answer = await get(file.browser_download_url)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://bucket.test/x?sig=y'])
    expect((await get(file.browser_download_url, {}, 'HEAD')).status).toBe(200)
  } finally {
    Object.assign(services, { storage })
    services.config.serveDirect = false
  }
  const contentDisposition = `inline; filename="_.html"; filename*=UTF-8''%C3%BC.html`
  expect(asked).toEqual([
    { contentType: 'text/plain; charset=utf-8', contentDisposition, expiresInSeconds: 300 },
  ])
  expect(await count()).toBe(1)
})
