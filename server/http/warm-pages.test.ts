import { expect, it } from 'vitest'
import { call } from '@/testing/call'
import { mount, useSite } from '@/testing/site'
import type { PageHandler } from './page-handler'
import { warmPages } from './warm-pages'

const site = useSite()

it.skipIf(mount === 'next')(
  '/readyz responds with 503 until the first pages have been rendered, even if they fail',
  async () => {
    const ready = async () => {
      const answer = await fetch(`${site.url}/readyz`)
      return [answer.status, await answer.text()]
    }
    const seen: string[] = []
    const pages: PageHandler = async (request, response) => {
      seen.push(request.url ?? '')
      expect(await ready()).toEqual([503, '{"status":"starting"}'])
      expect((await call(site, 'GET', '/version')).status).toBe(200)
      if (seen.length > 3) throw new Error('no page today')
      response.end('a page')
    }
    await warmPages(site.services, pages)
    expect(seen.slice(0, 3)).toEqual(['/-/sign-in', '/explore', '/'])
    expect(await ready()).toEqual([200, '{"status":"ok"}'])
  },
)
