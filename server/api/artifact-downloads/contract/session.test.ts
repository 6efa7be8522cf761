import { describe, expect, it } from 'vitest'
import { createTestRun } from '@/testing/actions'
import { makeArtifact } from '@/testing/artifacts'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(site.url + path, { headers, method, redirect: 'manual' })

async function makeTarget(sent: Parameters<typeof makeArtifact>[2] = {}, isPrivate = false) {
  const run = await createTestRun(site, { isPrivate })
  const artifact = await makeArtifact(site, run, sent)
  const repository = `/${run.ada.name}/${run.repository.name}`
  return { ...run, artifact, html: `${repository}/actions/artifacts/${artifact.id}` }
}

async function shown(sent: Parameters<typeof makeArtifact>[2]) {
  const { html } = await makeTarget(sent)
  const answer = await get(`${html}/view`)
  const [disposition] = (answer.headers.get('content-disposition') ?? '').split(';')
  return {
    type: answer.headers.get('content-type'),
    disposition,
    policy: answer.headers.get('content-security-policy') ?? '',
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

describe('the preview of an artifact', () => {
  const utf8 = '; charset=utf-8'

  it.each([
    ['application/json', '{"ü":1}', `application/json${utf8}`],
    ['application/problem+json', '{}', `application/problem+json${utf8}`],
    ['text/plain', 'für', `text/plain${utf8}`],
    ['text/plain', Buffer.from('für', 'latin1'), 'text/plain'],
    ['text/markdown', '# Title', `text/plain${utf8}`],
    ['text/csv', 'a,b', `text/plain${utf8}`],
    ['text/html', '<script>alert(1)</script>', `text/plain${utf8}`],
    ['application/xhtml+xml', '<html/>', `text/plain${utf8}`],
    ['application/xml', '<?xml-stylesheet href="x.xsl"?><a/>', `text/plain${utf8}`],
    ['image/svg+xml', '<svg onload="alert(1)"/>', `text/plain${utf8}`],
    ['application/javascript', 'alert(1)', `text/plain${utf8}`],
    ['image/png', '\u0089PNG', 'image/png'],
    ['application/pdf', '%PDF-1.7', 'application/pdf'],
    ['video/mp4', 'x', 'video/mp4'],
    ['application/octet-stream', 'just text', `text/plain${utf8}`],
    ['application/octet-stream', '<html><script>', `text/plain${utf8}`],
    ['text/plain', '', `text/plain${utf8}`],
  ])('shows %s with content %j as %s', async (contentType, bytes, type) => {
    const answer = await shown({ contentType, bytes, name: 'file' })
    expect([answer.type, answer.disposition]).toEqual([type, 'inline'])
    expect(answer.body.equals(Buffer.from(bytes))).toBe(true)
    expect(answer.policy).toMatch(/^default-src 'none'; .*frame-ancestors 'self'/)
  })

  it.each([
    ['application/zip', 'PK'],
    ['application/x-7z-compressed', '7z'],
    ['application/octet-stream', '\u0000\u0001\u0002'],
    ['message/rfc822', 'From: a'],
  ])('downloads %s instead', async (contentType, bytes) => {
    expect(await shown({ contentType, bytes })).toMatchObject({
      type: contentType,
      disposition: 'attachment',
    })
  })

  it('never redirects to the storage, whose response would lack the security headers', async () => {
    const { html } = await makeTarget({ contentType: 'text/plain' })
    const { services } = site
    const { storage } = services
    services.config.serveDirect = true
    services.storage = { ...storage, signedUrl: async () => 'https://bucket.test/x' }
    try {
      expect([(await get(`${html}/view`)).status, (await get(`${html}/download`)).status]).toEqual([200, 302])
    } finally {
      Object.assign(services, { storage })
      services.config.serveDirect = false
    }
  })
})

describe('the download of an artifact', () => {
  it('responds with 200 and the file as an attachment, under its own content type', async () => {
    const { html } = await makeTarget({ contentType: 'text/html', name: 'a.html', bytes: '<html>' })
    const answer = await get(`${html}/download`)
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([200, 'text/html; charset=utf-8', `attachment; filename="a.html"; filename*=UTF-8''a.html`])
    expect(answer.headers.get('content-security-policy')).toMatch(/; sandbox$/)
  })

  it('from a private repository requires a session or token of someone who can read it', async () => {
    const { ada, html } = await makeTarget({ contentType: 'text/plain' }, true)
    const stranger = await makePerson(site)
    const token = async (...scopes: Parameters<typeof makeToken>[2]) => ({
      authorization: `token ${await makeToken(site, ada.account.id, scopes)}`,
    })
    for (const as of ['download', 'view']) {
      const status = async (headers: Record<string, string> = {}) =>
        (await get(`${html}/${as}`, headers)).status
      expect(await status()).toBe(404)
      expect(await status({ authorization: `token ${stranger.token}` })).toBe(404)
      expect(await status(await token('read:user'))).toBe(403)
      expect(await status(await token('read:repository'))).toBe(200)
      expect(await status({ authorization: 'token wrong' })).toBe(401)
      expect(await status({ cookie: (await signIn(site, ada)).cookie })).toBe(200)
    }
  })

  it('responds with 404 if the artifact has expired, is pending, is in another repository, or has an invalid ID', async () => {
    const failure = async (path: string) => {
      const answer = await get(path)
      return [answer.status, (await answer.text()).trim()]
    }
    for (const as of ['download', 'view']) {
      const expired = await makeTarget({ status: 'expired' })
      expect(await failure(`${expired.html}/${as}`)).toEqual([404, 'Artifact has expired'])
      const pending = await makeTarget({ status: 'pending' })
      expect(await failure(`${pending.html}/${as}`)).toEqual([404, 'not found'])
      const other = await makeTarget()
      const elsewhere = other.html.replace(/\d+$/, String((await makeTarget()).artifact.id))
      expect(await failure(`${elsewhere}/${as}`)).toEqual([404, 'not found'])
      const unnumbered = other.html.replace(/\d+$/, 'latest')
      expect(await failure(`${unnumbered}/${as}`)).toEqual([404, 'not found'])
    }
  })

  it('redirects to the same artifact after the repository is renamed', async () => {
    const { ada, repository, html } = await makeTarget()
    const name = `${repository.name}-new`
    await call(site, 'PATCH', `/repos/${ada.name}/${repository.name}`, { as: ada, body: { name } })
    const answer = await get(`${html}/view?a=b&token=secret`)
    const location = html.replace(`/${repository.name}/`, `/${name}/`)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `${location}/view?a=b`])
  })

  it('responds with 405 to any other method', async () => {
    const { html } = await makeTarget()
    expect((await get(`${html}/download`, {}, 'POST')).status).toBe(405)
  })
})
