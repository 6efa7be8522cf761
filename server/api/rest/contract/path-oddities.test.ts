import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { rawHead, sendRaw } from '@/testing/raw'
import { mount, useSite } from '@/testing/site'

const site = useSite()

// Plain Next redirects or rejects these requests itself, before any handler.
describe.skipIf(mount === 'next')('the HTTP server', () => {
  describe('paths with extra slashes', () => {
    it.each(['/user/', '/user//', '//user', '/user/keys/', '//user///keys//'])(
      'return 200: %s',
      async path => {
        const ada = await makePerson(site)
        expect((await call(site, 'GET', path, { as: ada })).status).toBe(200)
      },
    )

    it('return 200 if the slashes are before or in the prefix', async () => {
      for (const path of ['//api/v1/version', '/api//v1/version', '//api//v1//version/']) {
        expect((await fetch(`${site.url}${path}`)).status).toBe(200)
      }
    })
  })

  describe('paths that browsers would rewrite', () => {
    it.each([
      '/user/keys/..',
      '/user/keys/%2e%2E',
      '/user/keys/.',
      '/users/../keys',
      '/users/%2e%2e/keys',
      '/users/a\\b',
      '/users/x/tokens/..',
      '/user/keys/1#x',
      '/../../user',
    ])('return 404 and do not reach another endpoint: %s', async path => {
      const ada = await makePerson(site)
      const answer = await sendRaw(
        site,
        rawHead('GET', `/api/v1${path}`, { Authorization: `token ${ada.token}` }),
      )
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.text.slice(answer.text.indexOf('{'))).message).toBe(
        `this server has no endpoint GET /api/v1${path}`,
      )
    })
  })

  describe('invalid percent-encoding', () => {
    it.each(['%ff', '%', '%zz', '%ed%a0%80', '%c0%80'])(
      'returns 404 as an ID and as a name: %s',
      async text => {
        const ada = await makePerson(site)
        for (const path of [
          `/user/keys/${text}`,
          `/users/${text}`,
          `/users/${text}/keys`,
          `/user/blocks/${text}`,
        ]) {
          const answer = await call(site, 'GET', path, { as: ada })
          expect(answer.status).toBe(404)
          expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
        }
      },
    )
  })

  it('returns 404 for the bare prefix with a slash', async () => {
    expect((await call(site, 'GET', '/')).body.message).toBe('this server has no endpoint GET /api/v1/')
  })

  it('returns 405 for an unknown method', async () => {
    const answer = await call(site, 'PROPFIND', '/user')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('does not echo TRACE requests', async () => {
    const answer = await sendRaw(site, rawHead('TRACE', '/api/v1/user', { Secret: 'do-not-echo' }))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain('do-not-echo')
  })
})
