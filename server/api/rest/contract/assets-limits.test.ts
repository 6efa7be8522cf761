import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeAssetTarget, upload, waysToUpload } from '@/testing/releases'
import { mount, useSite } from '@/testing/site'

const site = useSite({ releaseMaxBytes: 1000 })
afterEach(() =>
  Object.assign(site.services.config, { releaseMaxBytes: 1000, releaseAllowedTypes: [], attachments: true }),
)
const makeTarget = () => makeAssetTarget(site)
const set = (changes: object) => void Object.assign(site.services.config, changes)

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const forbidden = 'This file cannot be uploaded or modified due to a forbidden file extension or type.'

describe.each(waysToUpload)('POST …/assets with %s', (_, send) => {
  it('returns 201 for a file of exactly the maximum size, and 413 with the limit for one more byte', async () => {
    const { ada, path } = await makeTarget()
    const fits = await send(site, path, ada, { bytes: 'x'.repeat(1000), name: 'fits' })
    const exceeds = await send(site, path, ada, { bytes: 'x'.repeat(1001), name: 'exceeds' })
    expect([fits.status, exceeds.status]).toEqual([201, 413])
    expect(exceeds.body).toEqual({ message: 'attachment exceeds limit 1000', url: `${site.url}/api/docs` })
    expect((await call(site, 'GET', path)).body).toMatchObject([{ id: fits.body.id, size: 1000 }])
  })

  it('returns 201 for a file of any size if no limit is set', async () => {
    set({ releaseMaxBytes: Infinity })
    const { ada, path } = await makeTarget()
    expect((await send(site, path, ada, { bytes: 'x'.repeat(100_000), name: 'a' })).status).toBe(201)
  })

  it.each([
    ['.PNG', ['.png'], png],
    ['.txt', ['.png', '.txt'], 'text'],
    ['.gz', ['.gz'], 'text'],
    ['.exe', ['image/png'], png],
    ['', ['image/*'], png],
    ['.html', ['text/html'], '<!doctype html>'],
    ['.md', ['text/plain'], '# Title'],
    ['.json', ['text/*'], '{"a": 1}'],
    ['.json', ['application/json'], '[1, 2]'],
    ['.svg', ['image/svg+xml'], '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])(
    'returns 201 for extension "%s" if %j are allowed, by extension or content',
    async (ending, allowed, bytes) => {
      set({ releaseAllowedTypes: allowed })
      const { ada, path } = await makeTarget()
      const answer = await send(site, path, ada, { bytes, name: `file.tar${ending}` })
      expect([answer.status, answer.body.name]).toEqual([201, `file.tar${ending}`])
    },
  )

  it.each([
    ['.exe', ['.png', '.zip'], png],
    ['.png', ['image/*'], 'no picture'],
    ['.tar', ['.tar.gz', '.gz'], 'text'],
    ['', ['.zip'], 'PK'],
    ['.png', ['text/*'], png],
  ])('returns 400 for extension "%s" if %j are allowed', async (ending, allowed, bytes) => {
    set({ releaseAllowedTypes: allowed })
    const { ada, path } = await makeTarget()
    const answer = await send(site, path, ada, { bytes, name: `file${ending}` })
    expect([answer.status, answer.body.message]).toEqual([400, forbidden])
    expect((await call(site, 'GET', path)).body).toEqual([])
  })

  it('returns 404 with the message that clients expect if attachments are disabled, and still serves existing files', async () => {
    const target = await makeTarget()
    const there = await upload(site, target, { name: 'there' })
    set({ attachments: false })
    const answer = await send(site, target.path, target.ada, { name: 'a' })
    expect([answer.status, answer.body.message]).toEqual([404, 'attachment is not enabled'])
    expect((await call(site, 'GET', `${target.path}/${there.id}`)).status).toBe(200)
    expect((await call(site, 'GET', '/settings/attachment')).body.enabled).toBe(false)
  })
})

it('PATCH …/assets/{attachment_id} returns 422 unless the new extension or the content type is allowed', async () => {
  const target = await makeTarget()
  const picture = await upload(site, target, { name: 'a.png', bytes: png })
  const rename = async (name: string) => {
    const answer = await call(site, 'PATCH', `${target.path}/${picture.id}`, {
      as: target.ada,
      body: { name },
    })
    return [answer.status, answer.body.name ?? answer.body.message]
  }
  set({ releaseAllowedTypes: ['.zip', '.png'] })
  expect(await rename('b.exe')).toEqual([422, forbidden])
  expect(await rename('b.PNG')).toEqual([201, 'b.PNG'])
  set({ releaseAllowedTypes: ['image/png'] })
  expect(await rename('c')).toEqual([201, 'c'])
  set({ releaseAllowedTypes: ['text/plain'] })
  expect(await rename('d.txt')).toEqual([422, forbidden])
  expect(await rename('')).toEqual([201, 'c'])
})

// Plain Next buffers request bodies.
describe.skipIf(mount === 'next')('POST …/assets while the body is being received', () => {
  const mib = 1024 * 1024
  const endless = () =>
    Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(mib, 'x')
      })(),
    )

  async function answerTo(path: string, token: string, headers: Record<string, string>, source = endless()) {
    const sent = request(`${site.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, ...headers },
    })
    sent.flushHeaders()
    void pipeline(source, sent).catch(() => undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await response.toArray()).toString()
    source.destroy()
    sent.destroy()
    return [response.statusCode, JSON.parse(text).message]
  }
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const beginning = '--x\r\nContent-Disposition: form-data; name="attachment"; filename="a.bin"\r\n\r\n'

  it('returns 413 as soon as a body of unknown length exceeds the limit', async () => {
    set({ releaseMaxBytes: 10 * mib })
    const { ada, path } = await makeTarget()
    const refused = [413, `attachment exceeds limit ${10 * mib}`]
    expect(await answerTo(`${path}?name=a`, ada.token, {})).toEqual(refused)
    const source = Readable.from(
      (async function* () {
        yield Buffer.from(beginning)
        for (;;) yield Buffer.alloc(mib)
      })(),
    )
    expect(await answerTo(path, ada.token, form, source)).toEqual(refused)
  })

  it('returns 413 immediately if the announced length exceeds the limit', async () => {
    const { ada, path } = await makeTarget()
    const headers = { 'content-length': String(1000 * mib) }
    const silent = () => new Readable({ read() {} })
    const refused = [413, 'attachment exceeds limit 1000']
    expect(await answerTo(`${path}?name=a`, ada.token, headers, silent())).toEqual(refused)
    expect(await answerTo(path, ada.token, { ...headers, ...form }, silent())).toEqual(refused)
  })

  it('returns 400 as soon as the first bytes show a forbidden type', async () => {
    set({ releaseAllowedTypes: ['image/*'], releaseMaxBytes: Infinity })
    const { ada, path } = await makeTarget()
    expect(await answerTo(`${path}?name=a`, ada.token, {})).toEqual([400, forbidden])
  })

  it('returns 401, 403, 404, and 400 before reading any of the body', async () => {
    const { path, ada } = await makeTarget()
    const other = await makeTarget()
    const silent = () => new Readable({ read() {} })
    const headers = { 'content-length': '1000', expect: '100-continue' }
    const status = async (...args: Parameters<typeof answerTo>) => (await answerTo(...args))[0]
    expect(await status(path, 'wrong', headers, silent())).toBe(401)
    expect(await status(path, other.ada.token, headers, silent())).toBe(403)
    expect(await status(path.replace(/\d+\/assets/, '999999/assets'), ada.token, headers, silent())).toBe(404)
    expect(await status(path, ada.token, headers, silent())).toBe(400)
  })

  it('never shows a file whose upload was aborted, and schedules its bytes for deletion', async () => {
    set({ releaseMaxBytes: Infinity })
    const { ada, path } = await makeTarget()
    const sent = request(`${site.url}/api/v1${path}?name=a`, {
      method: 'POST',
      headers: { authorization: `token ${ada.token}` },
    })
    sent.on('error', () => undefined)
    sent.write(Buffer.alloc(5 * mib))
    const unused = () =>
      site.db.selectFrom('unused_objects').selectAll().orderBy('sweep_after', 'desc').execute()
    await expect
      .poll(async () => (await unused())[0]?.sweep_after.getTime())
      .toBeGreaterThan(Date.now() + 60_000)
    sent.destroy()
    await expect
      .poll(async () => (await unused())[0]?.sweep_after.getTime())
      .toBeLessThan(Date.now() + 60_000)
    expect((await call(site, 'GET', path)).body).toEqual([])
  })
})
