import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /version', () => {
  it('returns 200 and a semantic version that existing clients accept, without credentials', async () => {
    const { status, body } = await call(site, 'GET', '/version')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['version'])
    const semantic = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/
    const [, major, minor] = semantic.exec(body.version)?.map(Number) ?? []
    expect(Number(major) * 1000 + Number(minor)).toBeGreaterThanOrEqual(1023)
  })

  it('returns 401 to an invalid token, and a warning to one in the query, although the result never changes', async () => {
    const { token } = await makePerson(site)
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${site.url}/api/v1${path}`, { headers })
      return [answer.status, answer.headers.has('x-gitea-warning')]
    }
    for (let time = 0; time < 2; time++) {
      expect(await ask('/version', { authorization: `token ${'0'.repeat(40)}` })).toEqual([401, false])
      expect(await ask('/version', { authorization: `token ${token}` })).toEqual([200, false])
      expect(await ask(`/version?token=${token}`)).toEqual([200, true])
      expect(await ask('/version')).toEqual([200, false])
    }
  })
})

describe('GET /settings', () => {
  it('returns 200 and the actual sizes of lists for /settings/api', async () => {
    expect((await call(site, 'GET', '/settings/api')).body).toEqual({
      max_response_items: 50,
      default_paging_num: 30,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    })
  })

  it('returns 200 and the attachment limits for /settings/attachment', async () => {
    const { body } = await call(site, 'GET', '/settings/attachment')
    expect(body).toMatchObject({ enabled: true, max_size: 100, max_files: 5 })
    expect(body.allowed_types.split(',')).toContain('.zip')
  })

  it('returns 200 and the repository features for /settings/repository', async () => {
    // Clients check this before cloning over HTTP.
    expect((await call(site, 'GET', '/settings/repository')).body).toEqual({
      http_git_disabled: false,
      lfs_disabled: true,
      migrations_disabled: true,
      mirrors_disabled: true,
      stars_disabled: true,
      time_tracking_disabled: true,
    })
  })

  it('returns 200 and the default theme for /settings/ui', async () => {
    expect((await call(site, 'GET', '/settings/ui')).body).toEqual({
      default_theme: 'gitea-auto',
      allowed_reactions: expect.any(Array),
      custom_emojis: expect.any(Array),
    })
  })
})
