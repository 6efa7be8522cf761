import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { launches } from '@/server/kernel/launcher/launch'
import { gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const listRefs = '0014command=ls-refs\n00010000'
const uploadType = 'application/x-git-upload-pack-request'

describe.skipIf(mount === 'next')('a Git request', () => {
  const site = useSite()
  const work = useWorkDirectory()

  async function filled() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const tip = await startLocal(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    return { person, repository, tip, url: addressOf(site, repository) }
  }

  const post = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${url}/git-upload-pack`, {
      method: 'POST',
      body,
      headers: { 'content-type': uploadType, 'git-protocol': 'version=2', ...headers },
    })

  it('gets the list of refs with its media type, uncached, with the security headers', async () => {
    const { url, tip } = await filled()
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const person = await makePerson(site, { is_admin: true })
      const response = await fetch(`${url}/info/refs?service=${service}`, {
        headers: { authorization: `token ${person.token}` },
      })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(`application/x-${service}-advertisement`)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-request-id')).toBeTruthy()
      const text = await response.text()
      expect(text).toMatch(new RegExp(`^00[0-9a-f]{2}# service=${service}\\n0000`))
      expect(text).toContain(`${tip} refs/heads/main`)
    }
  })

  it('runs Git once to list its capabilities for all repositories with the same configuration', async () => {
    const person = await makePerson(site)
    const capabilities = async (object_format: 'sha1' | 'sha256'): Promise<string> => {
      const repository = await makeGitRepository(site, person.account, { object_format })
      const address = `${addressOf(site, repository)}/info/refs?service=git-upload-pack`
      return await (await fetch(address, { headers: { 'git-protocol': 'version=2' } })).text()
    }
    const first = await capabilities('sha1')
    expect(first).toMatch(/^000eversion 2\n[\s\S]*object-format=sha1[\s\S]*0000$/)
    const { started } = launches()
    expect(await capabilities('sha1')).toBe(first)
    // Making the repository took one.
    expect(launches().started).toBe(started + 1)
    expect(await capabilities('sha256')).toContain('object-format=sha256')
  })

  it('can be gzipped', async () => {
    const { url, tip } = await filled()
    const plain = await (await post(url, listRefs)).text()
    expect(plain).toContain(tip)
    for (const encoding of ['gzip', 'x-gzip']) {
      const gzipped = await post(url, gzipSync(listRefs), { 'content-encoding': encoding })
      expect(gzipped.status).toBe(200)
      expect(gzipped.headers.get('content-type')).toBe('application/x-git-upload-pack-result')
      expect(await gzipped.text()).toBe(plain)
    }
  })

  it('gets 400 for half a gzip stream and for a malformed body, and the site continues', async () => {
    const { url } = await filled()
    const half = gzipSync(listRefs).subarray(0, 12)
    expect((await post(url, half, { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await post(url, 'hello')).status).toBe(400)
    expect((await post(url, listRefs)).status).toBe(200)
  })

  it('gets 415 with the correct value for another content type or encoding', async () => {
    const { url } = await filled()
    const form = await post(url, listRefs, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(415)
    expect(await form.text()).toContain(uploadType)
    const brotli = await post(url, listRefs, { 'content-encoding': 'br' })
    expect(brotli.status).toBe(415)
    expect(await brotli.text()).toContain('gzip')
  })

  it('gets 405 with the correct method for another method', async () => {
    const { url } = await filled()
    const got = await fetch(`${url}/git-upload-pack`)
    expect(got.status).toBe(405)
    expect(got.headers.get('allow')).toBe('POST')
    const posted = await fetch(`${url}/info/refs?service=git-upload-pack`, { method: 'POST', body: '' })
    expect(posted.status).toBe(405)
    expect(posted.headers.get('allow')).toBe('GET')
  })

  it.each([
    'info/refs',
    'info/refs?service=git-upload-archive',
    'HEAD',
    'objects/info/packs',
    'objects/info/alternates',
    'objects/00/11223344556677889900112233445566778899',
    'objects/pack/pack-1.pack',
  ])('gets 403 for %s, which only clients without the smart protocol request', async part => {
    const { url } = await filled()
    const response = await fetch(`${url}/${part}`)
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toContain('smart HTTP')
  })

  it('with an invalid protocol version is served with the default version', async () => {
    const { url } = await filled()
    for (const offered of ['version=2;touch /tmp/x', '$(id)', 'x'.repeat(200)]) {
      const response = await fetch(`${url}/info/refs?service=git-upload-pack`, {
        headers: { 'git-protocol': offered },
      })
      expect(await response.text()).toContain('# service=git-upload-pack')
    }
  })

  it('gets 401 for any path that is not one of Git', async () => {
    for (const path of ['/%00/x.git', '/a/..%2f..%2fetc', '/%zz/x', '/--help/x.git', '/a/b;c.git']) {
      const sent = request(site.url, { path: `${path}/info/refs?service=git-upload-pack` }).end()
      const [answer] = await once(sent, 'response')
      answer.resume()
      expect(answer.statusCode, path).toBe(401)
    }
  })
})
