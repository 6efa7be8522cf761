import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { signDownload } from '@/server/artifacts/signed-path'
import { createTestRun } from '@/testing/actions'
import { makeArtifact } from '@/testing/artifacts'
import { useSite } from '@/testing/site'

const site = useSite()
afterEach(() => site.now.set(undefined))

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

async function makeSigned(sent: Parameters<typeof makeArtifact>[2] = {}) {
  const artifact = await makeArtifact(site, await createTestRun(site, { isPrivate: true }), sent)
  const isZip = artifact.content_type === 'application/zip'
  const sign = (permit: { expires?: number; isZip?: boolean } = {}) =>
    site.url +
    signDownload(site.services.config, { artifactId: artifact.id, expires: inAnHour(), isZip, ...permit })
  return { artifact, sign }
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })

async function failure(url: string): Promise<[number, string]> {
  const answer = await get(url)
  return [answer.status, (await answer.text()).trim()]
}

describe('a signed URL of an artifact', () => {
  it('responds with 200 and the whole artifact, uncompressed, without credentials', async () => {
    const bytes = randomBytes(3_000_000)
    const { sign } = await makeSigned({ bytes, name: 'dist' })
    const answer = await get(sign(), { 'accept-encoding': 'gzip, br' })
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true])
    const sha256 = createHash('sha256').update(bytes)
    const hex = sha256.copy().digest('hex')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': String(bytes.length),
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="dist.zip"; filename*=UTF-8''dist.zip`,
      etag: `"${hex}"`,
      'repr-digest': `sha-256=:${sha256.digest('base64')}:`,
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  it.each([
    ['report.json', 'application/json'],
    ['page.xml', 'application/xml'],
    ['100%.png', 'image/png'],
    ['it\'s;"ü".bin', 'application/octet-stream'],
  ])('keeps the announced type of %s, which is always sent as an attachment', async (name, contentType) => {
    const { sign } = await makeSigned({ name, contentType, bytes: '' })
    const answer = await get(sign())
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      contentType,
      '',
    ])
    const [, extended = ''] =
      /filename\*=UTF-8''(.+)$/.exec(answer.headers.get('content-disposition') ?? '') ?? []
    expect(decodeURIComponent(extended)).toBe(name)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w. ]+"; /)
  })

  it.each([
    ['text/plain', 'für', 'text/plain; charset=utf-8'],
    ['text/html', '', 'text/html; charset=utf-8'],
    ['application/yaml', 'a: ü', 'application/yaml; charset=utf-8'],
    ['text/csv', `${'x'.repeat(4099)}ü`.repeat(2), 'text/csv; charset=utf-8'],
    ['text/plain', Buffer.from('für', 'latin1'), 'text/plain'],
    ['text/plain', Buffer.from('\ufefffür', 'utf16le'), 'text/plain'],
  ])(
    'includes the charset of %s if it is UTF-8, for whole files, ranges and HEAD',
    async (contentType, bytes, type) => {
      const { sign } = await makeSigned({ contentType, bytes })
      const answers = [
        await get(sign()),
        await get(sign(), { range: 'bytes=0-0' }),
        await get(sign(), {}, 'HEAD'),
      ]
      for (const answer of answers) {
        if (answer.status !== 416) expect(answer.headers.get('content-type')).toBe(type)
      }
      expect(Buffer.from(await answers[0]!.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
    },
  )

  it('names an archive with exactly one .zip at the end', async () => {
    const { sign } = await makeSigned({ name: 'all.ZIP' })
    expect((await get(sign())).headers.get('content-disposition')).toContain('filename="all.ZIP";')
  })

  it.each([
    ['bytes=0-3', 206, '0123'],
    ['bytes=-3', 206, '789'],
    ['bytes=20-', 416, ''],
  ])('responds to the range %s with %i', async (range, status, text) => {
    const { sign } = await makeSigned({ bytes: '0123456789' })
    const answer = await get(sign(), { range })
    expect([answer.status, await answer.text()]).toEqual([status, text])
  })

  it('responds with 304 or 412 to conditions on its digest', async () => {
    const { artifact, sign } = await makeSigned()
    const etag = `"${artifact.sha256?.toString('hex')}"`
    expect((await get(sign(), { 'if-none-match': etag })).status).toBe(304)
    expect((await get(sign(), { 'if-match': '"other"' })).status).toBe(412)
  })

  it('responds to HEAD with the headers only', async () => {
    const { sign } = await makeSigned({ bytes: '0123456789' })
    const answer = await get(sign(), {}, 'HEAD')
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '10',
      '',
    ])
  })

  it('redirects to the storage with 302, with the stored type, as an attachment, and valid no longer than the artifact', async () => {
    const { sign } = await makeSigned({
      name: 'ü.html',
      contentType: 'text/html',
      expiresAt: new Date(Date.now() + 60_000),
    })
    const { services } = site
    const { storage } = services
    const asked: { contentType: string; contentDisposition: string; expiresInSeconds: number }[] = []
    services.config.serveDirect = true
    services.storage = {
      ...storage,
      signedUrl: async (_, answer) => {
        asked.push(answer)
        return 'https://bucket.test/x?sig=y'
      },
    }
    try {
      const answer = await get(sign())
      expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://bucket.test/x?sig=y'])
    } finally {
      Object.assign(services, { storage })
      services.config.serveDirect = false
    }
    const contentDisposition = `attachment; filename="_.html"; filename*=UTF-8''%C3%BC.html`
    expect(asked).toMatchObject([{ contentType: 'text/html; charset=utf-8', contentDisposition }])
    expect(asked[0]?.expiresInSeconds).toBeLessThanOrEqual(60)
  })

  it('responds with 401 without a valid signature, before any lookup', async () => {
    const { artifact, sign } = await makeSigned()
    const other = await makeSigned()
    const unauthorized = [401, 'Error unauthorized']
    for (const url of [
      sign().replace(/sig=(.)/, (_, first) => (first === '_' ? 'sig=-' : 'sig=_')),
      sign().replace(/\?.*/, ''),
      sign().replace(`/${artifact.id}-`, `/${other.artifact.id}-`),
      sign().replace(`/${artifact.id}-`, '/999999999-'),
      sign({ isZip: false }).replace('?', '/artifact.zip?'),
    ])
      expect(await failure(url), url).toEqual(unauthorized)
    expect((await get(sign().replace(/\?.*/, ''))).headers.get('www-authenticate')).toBeNull()
  })

  it('responds with 401 once the link has expired', async () => {
    const { sign } = await makeSigned()
    const url = sign()
    site.now.set(new Date(inAnHour() * 1000 + 1000))
    expect(await failure(url)).toEqual([401, 'Error link expired'])
  })

  it('responds with 404 if the artifact has expired (even before the sweep), is pending, or was deleted', async () => {
    const expired = [404, 'Artifact has expired']
    expect(await failure((await makeSigned({ status: 'expired' })).sign())).toEqual(expired)
    expect(await failure((await makeSigned({ expiresAt: new Date(Date.now() - 1) })).sign())).toEqual(expired)
    const pending = await makeSigned({ status: 'pending' })
    expect(await failure(pending.sign())).toEqual([404, 'not found'])
    await site.db.deleteFrom('artifacts').where('id', '=', pending.artifact.id).execute()
    expect(await failure(pending.sign())).toEqual([404, 'not found'])
  })

  it('responds with 405 to any other method', async () => {
    const { sign } = await makeSigned()
    expect((await get(sign(), {}, 'POST')).status).toBe(405)
  })
})
