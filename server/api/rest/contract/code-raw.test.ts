// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
const html = '<script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const large = Buffer.alloc(3_000_000, 'abcdefgh')

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    'README.md': '# Engine\n',
    'docs/a page.html': html,
    'logo.svg': svg,
    'pixel.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'data.bin': Buffer.from([0, 1, 2, 3, 255]),
    'large.txt': large,
    link: { text: 'README.md', mode: '120000' },
    vendor: { submodule: '0123456789012345678901234567890123456789' },
  })
  await code.commit({ 'docs/only.txt': 'on a branch\n' }, { branch: 'main' })
  await code.git('branch', 'feature/one', 'main')
})

const fetchRaw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${site.url}${path}`, { method, headers: { authorization: `token ${ada.token}`, ...headers } })
const api = (rest: string, headers?: Record<string, string>, method?: string) =>
  fetchRaw(`/api/v1${code.path}/raw/${rest}`, headers, method)
const page = (rest: string) => fetchRaw(`/${ada.name}/${code.name}/raw/${rest}`)

describe('GET /repos/{owner}/{repo}/raw/{path}', () => {
  it('returns 200 and the bytes, as what they are but never as a page or a script', async () => {
    const types = Object.fromEntries(
      await Promise.all(
        ['README.md', 'docs/a%20page.html', 'logo.svg', 'pixel.png', 'data.bin', 'link'].map(async path => {
          const { headers, status } = await api(path)
          expect([path, status]).toEqual([path, 200])
          expect(headers.get('x-content-type-options')).toBe('nosniff')
          expect(headers.get('content-security-policy')).toContain('sandbox')
          const [disposition] = (headers.get('content-disposition') ?? '').split(';')
          return [path, `${headers.get('content-type')} ${disposition} ${headers.get('x-gitea-object-type')}`]
        }),
      ),
    )
    expect(types).toEqual({
      'README.md': 'text/plain; charset=utf-8 inline file',
      'docs/a%20page.html': 'text/plain; charset=utf-8 inline file',
      'logo.svg': 'image/svg+xml attachment file',
      'pixel.png': 'image/png inline file',
      'data.bin': 'application/octet-stream attachment file',
      link: 'text/plain; charset=utf-8 inline symlink',
    })
    expect(await (await api('docs/a%20page.html')).text()).toBe(html)
  })

  it('returns 304, 206, and 416 as the headers of the request ask for', async () => {
    const first = await api('README.md')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toBe(`"${await code.git('rev-parse', 'main:README.md')}"`)
    expect(first.headers.get('last-modified')).toBe(new Date(1_790_000_000_000).toUTCString())
    expect((await api('README.md', { 'if-none-match': `W/${etag}` })).status).toBe(304)
    const part = await api('README.md', { range: 'bytes=2-4' })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'Eng',
      'bytes 2-4/9',
    ])
    expect((await api('README.md', { range: 'bytes=9-' })).status).toBe(416)
    const rows: [headers: Record<string, string>, status: number][] = [
      [{ range: 'bytes=-3' }, 206],
      [{ range: 'bytes=0-0, 2-3' }, 200],
      [{ range: 'bytes=4-2' }, 200],
      [{ range: 'lines=1-2' }, 200],
      [{ range: 'bytes=2-4', 'if-range': '"other"' }, 200],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-modified-since': new Date(1_790_000_000_000).toUTCString() }, 304],
      [{ 'if-modified-since': new Date(1_790_000_001_000).toUTCString() }, 200],
      [{ 'if-modified-since': new Date(1_790_000_000_000).toUTCString(), 'if-none-match': '"other"' }, 200],
    ]
    for (const [headers, status] of rows)
      expect([headers, (await api('README.md', headers)).status]).toEqual([headers, status])
    const head = await api('README.md', {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '9', ''])
  })

  it('has the same headers as media, and lets only the own cache of a client keep a private file', async () => {
    const shown = ['cache-control', 'content-disposition', 'content-security-policy', 'content-type', 'etag']
    const asked = async (verb: string) => {
      const { headers } = await fetchRaw(`/api/v1${code.path}/${verb}/docs/a%20page.html`)
      return shown.map(name => headers.get(name))
    }
    expect(await asked('media')).toEqual(await asked('raw'))
    expect((await asked('raw'))[0]).toBe('public, max-age=0, must-revalidate')
    await call(site, 'PATCH', code.path, { as: ada, body: { private: true } })
    expect((await asked('raw'))[0]).toBe('private, max-age=0, must-revalidate')
    await call(site, 'PATCH', code.path, { as: ada, body: { private: false } })
  })

  it('streams a large file, and any range of it', async () => {
    expect(Buffer.from(await (await api('large.txt')).arrayBuffer()).equals(large)).toBe(true)
    const part = await api('large.txt', { range: 'bytes=2000000-2000009' })
    expect([part.status, await part.text()]).toEqual([206, large.toString('latin1', 2_000_000, 2_000_010)])
  })

  it('finds files by ref, by a leading branch in the path, and on the site by kind of revision', async () => {
    const id = await code.git('rev-parse', 'main')
    const blob = await code.git('rev-parse', 'main:README.md')
    const found = await Promise.all([
      api('README.md?ref=feature/one'),
      api('feature/one/README.md'),
      page('branch/feature/one/README.md'),
      page(`commit/${id}/README.md`),
      page(`commit/${id.slice(0, 8)}/README.md`),
      page('main/README.md'),
      page(`blob/${blob}`),
      fetchRaw(`/${ada.name}/${code.name}/media/branch/main/README.md`),
      fetchRaw(`/api/v1${code.path}/media/README.md`),
    ])
    for (const response of found)
      expect([response.url, await response.text()]).toEqual([response.url, '# Engine\n'])
  })

  it('returns 404 for directories, submodules, and unknown files and refs, and 400 for a reserved path', async () => {
    for (const path of ['docs', 'vendor', 'nope.txt', 'link/x', 'README.md/x', 'README.md?ref=nope'])
      expect([path, (await api(path)).status]).toEqual([path, 404])
    expect((await page('branch/nope/README.md')).status).toBe(404)
    for (const path of ['.git%2Fconfig', 'docs/.GIT/x', 'docs%2F..%2Flink', 'docs%2F%2Fx'])
      expect([path, (await api(path)).status]).toEqual([path, 400])
    // Git would search the whole history for a regular expression, or end.
    for (const name of ['main^{/(.+)(.+)z}', 'main@{u}', 'main~1', ':/x', 'main..main'])
      expect([name, (await page(`branch/${encodeURIComponent(name)}/README.md`)).status]).toEqual([name, 404])
    const anonymous = await fetch(`${site.url}/api/v1/repos/${ada.name}/none/raw/README.md`)
    expect(anonymous.status).toBe(404)
  })
})
