import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestRun } from '@/testing/actions'
import { makeArtifact } from '@/testing/artifacts'
import { useSite } from '@/testing/site'
import { packZip } from '@/testing/zip'

const site = useSite()

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(site.url + path, { headers, method, redirect: 'manual' })

async function makeFiles(
  entries: Parameters<typeof packZip>[0],
  sent: Parameters<typeof makeArtifact>[2] = {},
): Promise<string> {
  const run = await createTestRun(site)
  const artifact = await makeArtifact(site, run, { bytes: packZip(entries), name: 'dist', ...sent })
  return `/${run.ada.name}/${run.repository.name}/actions/artifacts/${artifact.id}/files`
}

async function failure(path: string): Promise<[number, string]> {
  const answer = await get(path)
  return [answer.status, (await answer.text()).trim()]
}

describe('a file in an artifact', () => {
  it('responds with 200 and the exact bytes, for viewing or downloading', async () => {
    const bytes = randomBytes(2_000_000)
    const path = 'reports/100% "ü" #1?.bin'
    const files = await makeFiles([{ name: 'a' }, { name: path, bytes, deflated: true }, { name: 'z' }])
    const at = `${files}/${path.split('/').map(encodeURIComponent).join('/')}`
    for (const url of [at, `${at}?download`]) {
      const answer = await get(url)
      const { headers } = answer
      expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true])
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '2000000',
        'content-disposition': `attachment; filename="100_ ___ #1?.bin"; filename*=UTF-8''100%25%20%22%C3%BC%22%20%231%3F.bin`,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('responds with 200 for a long path whose characters take much space in a URL', async () => {
    const path = `${'中'.repeat(500)}/${'文'.repeat(500)}.txt`
    const files = await makeFiles([{ name: path, bytes: 'hello' }])
    const answer = await get(`${files}/${path.split('/').map(encodeURIComponent).join('/')}`)
    expect([answer.status, await answer.text()]).toEqual([200, 'hello'])
  })

  it.each([
    ['log.txt', 'für', 'text/plain; charset=utf-8', 'inline'],
    ['old.txt', Buffer.from('für', 'latin1'), 'text/plain', 'inline'],
    ['index.html', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
    ['picture.svg', '<svg onload="alert(1)"/>', 'text/plain; charset=utf-8', 'inline'],
    ['app.ts', 'const a = 1', 'text/plain; charset=utf-8', 'inline'],
    ['data.json', '{"a":1}', 'application/json; charset=utf-8', 'inline'],
    ['paper', '%PDF-1.7\n', 'application/pdf', 'inline'],
    ['empty', '', 'text/plain; charset=utf-8', 'inline'],
    ['page.html', '\u0001\u0007\u0001', 'application/octet-stream', 'attachment'],
    ['inner.zip', packZip([{ name: 'a' }]), 'application/zip', 'attachment'],
  ])('named %s with content %j is shown as %s, %s', async (name, bytes, type, disposition) => {
    const files = await makeFiles([{ name, bytes, deflated: true }])
    const answer = await get(`${files}/${name}`)
    const { headers } = answer
    expect([headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]).toEqual([
      type,
      disposition,
    ])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'self'/)
    const saved = await get(`${files}/${name}?download`)
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(saved.headers.get('content-type')).toBe(type)
  })

  it('sends no bytes in responses to HEAD and in 304 responses', async () => {
    const files = await makeFiles([{ name: 'a', bytes: 'hello' }])
    const head = await get(`${files}/a`, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', ''])
    const etag = head.headers.get('etag') ?? ''
    expect((await get(`${files}/a`, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(`${files}/a`, { 'if-match': '"other"' })).status).toBe(412)
  })

  it('responds with 404 if the archive has no file at this path, or if the artifact has expired', async () => {
    const files = await makeFiles([{ name: 'dir/a' }, { name: '../b' }])
    for (const path of ['b', '%2e%2e%2fb', 'dir', 'dir%2Fa%00', '%ff'])
      expect(await failure(`${files}/${path}`), path).toEqual([
        404,
        'The artifact does not contain this file.',
      ])
    expect(await failure(`${await makeFiles([{ name: 'a' }], { status: 'expired' })}/a`)).toEqual([
      404,
      'Artifact has expired',
    ])
  })

  it('responds with 422 and the reason if the artifact is not a zip archive or is damaged, or if the file cannot be unpacked', async () => {
    const refused = async (...made: Parameters<typeof makeFiles>) => {
      const [status, message] = await failure(`${await makeFiles(...made)}/a`)
      expect(status).toBe(422)
      return message
    }
    expect(await refused([{ name: 'a' }], { contentType: 'text/plain' })).toContain('not a zip archive')
    expect(await refused([], { bytes: 'no zip' })).toContain('cannot be read')
    expect(await refused([{ name: 'a', flags: 1 }])).toContain('encrypted')
    expect(await refused([{ name: 'a', bytes: 'x', size: 9 }])).toContain('damaged')
    expect(await refused([{ name: 'a', bytes: 'x', crc: 1 }])).toContain('damaged')
    expect(await refused([{ name: 'a', bytes: 'no deflate', method: 8 }])).toContain('damaged')
  })

  it("cuts the connection if its bytes do not match the archive's directory", async () => {
    const files = await makeFiles([{ name: 'a', bytes: randomBytes(20_000_000), crc: 1 }])
    await expect(get(`${files}/a`).then(answer => answer.arrayBuffer())).rejects.toThrow()
  })

  it('is unpacked only as fast as the client reads', async () => {
    const bytes = Buffer.alloc(300_000_000)
    const files = await makeFiles([{ name: 'a', bytes, deflated: true }])
    const before = process.memoryUsage().rss
    const answer = await get(`${files}/a`)
    const hash = createHash('sha256')
    let [size, most] = [0, 0]
    for await (const chunk of answer.body ?? []) {
      hash.update(chunk)
      size += chunk.byteLength
      most = Math.max(most, process.memoryUsage().rss)
    }
    expect([size, hash.digest('hex')]).toEqual([
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
    ])
    expect(most - before).toBeLessThan(150_000_000)
  })
})
