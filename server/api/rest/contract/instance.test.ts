import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /version', () => {
  it('200: a semantic version that existing clients accept, for anybody', async () => {
    const { status, body } = await call(site, 'GET', '/version')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['version'])
    const semantic = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/
    const [, major, minor] = semantic.exec(body.version)?.map(Number) ?? []
    expect(Number(major) * 1000 + Number(minor)).toBeGreaterThanOrEqual(1023)
  })
})

describe('GET /settings', () => {
  it('200: api tells the sizes that lists really have', async () => {
    expect((await call(site, 'GET', '/settings/api')).body).toEqual({
      max_response_items: 50,
      default_paging_num: 30,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    })
  })

  it('200: attachment', async () => {
    const { body } = await call(site, 'GET', '/settings/attachment')
    expect(body).toMatchObject({ enabled: true, max_size: 100, max_files: 5 })
    expect(body.allowed_types.split(',')).toContain('.zip')
  })

  it('200: repository', async () => {
    // Git is served over HTTP; clients look here before they clone.
    expect((await call(site, 'GET', '/settings/repository')).body).toEqual({
      http_git_disabled: false,
      lfs_disabled: true,
      migrations_disabled: true,
      mirrors_disabled: true,
      stars_disabled: true,
      time_tracking_disabled: true,
    })
  })

  it('200: ui', async () => {
    expect((await call(site, 'GET', '/settings/ui')).body).toEqual({
      default_theme: 'gitea-auto',
      allowed_reactions: expect.any(Array),
      custom_emojis: expect.any(Array),
    })
  })
})
