import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { Browser } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()

describe('page procedures', () => {
  it('cannot be called in batches, so that each password guess is one request', async () => {
    const ada = await makePerson(site)
    const guess = { login: ada.name, password: 'wrong' }
    const answer = await new Browser(site).mutate('sessions.signIn,sessions.signIn?batch=1', {
      0: guess,
      1: guess,
    })
    expect(answer.status).toBe(400)
  })

  it('are rejected under another host name, even if the request claims to be same-origin', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host: 'rebound.example',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      }
      const sent = request(`${site.url}/api/trpc/sessions.setUp`, { method: 'POST', headers }, response => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ username: 'mallory', email: 'm@example.test', password: 'long enough' }))
    })
    expect(status).toBe(403)
  })
})

describe.skipIf(mount === 'next')('the HTTP server', () => {
  it('returns 400 for a request without a path', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(site.url, { method: 'OPTIONS', path: '*' }, response => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end()
    })
    expect(status).toBe(400)
  })

  it.each(['/%', '/%E0%A4%A'])('returns 400 for the undecodable path %s', async path => {
    expect((await fetch(site.url + path)).status).toBe(400)
  })

  it('allows only GET and HEAD for health checks and key lists', async () => {
    for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json', '/ada.keys']) {
      const answer = await fetch(site.url + path, { method: 'POST' })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })
})
