import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /user/emails', () => {
  it('returns 200 and one address, which is verified for an active account', async () => {
    const ada = await makePerson(site, { hide_email: true })
    const answer = await call(site, 'GET', '/user/emails', { as: ada })
    expect(answer.body).toEqual([
      { email: ada.account.email, verified: true, primary: true, user_id: 0, username: '' },
    ])
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'GET', '/user/emails')).status).toBe(401)
  })
})

describe('PATCH /user/settings', () => {
  it('returns 200 and changes only the fields in the request, as GET shows', async () => {
    const ada = await makePerson(site, { full_name: 'Ada', location: 'London' })
    const body = {
      location: 'Paris',
      website: 'https://ada.example',
      hide_email: true,
      theme: 'gitea-dark',
      diff_view_style: 'split',
      hide_activity: true,
    }
    const changed = await call(site, 'PATCH', '/user/settings', { as: ada, body })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        full_name: 'Ada',
        location: 'Paris',
        website: 'https://ada.example',
        description: '',
        hide_email: true,
        language: '',
        theme: 'gitea-dark',
        diff_view_style: 'split',
        hide_activity: true,
      },
    ])
    expect((await call(site, 'GET', '/user/settings', { as: ada })).body).toEqual(changed.body)
  })

  it.each(['auto', 'light', 'dark'])('returns 200 and the theme %s under its Gitea name', async theme => {
    const ada = await makePerson(site)
    for (const word of [theme, `gitea-${theme}`]) {
      const changed = await call(site, 'PATCH', '/user/settings', { as: ada, body: { theme: word } })
      const shown = await call(site, 'GET', '/user/settings', { as: ada })
      expect([changed.body.theme, shown.body.theme]).toEqual([`gitea-${theme}`, `gitea-${theme}`])
    }
  })

  it('returns 200 and the site’s theme if none is selected', async () => {
    const { body } = await call(site, 'GET', '/user/settings', { as: await makePerson(site) })
    expect(body).toMatchObject({ theme: 'gitea-auto', diff_view_style: '', hide_activity: false })
  })

  it('returns 422 for an unknown diff view style', async () => {
    const [as, body] = [await makePerson(site), { diff_view_style: 'sideways' }]
    expect((await call(site, 'PATCH', '/user/settings', { as, body })).status).toBe(422)
  })

  it('returns 200 and clears a field set to an empty text', async () => {
    const ada = await makePerson(site, { location: 'London', website: 'https://ada.example' })
    const answer = await call(site, 'PATCH', '/user/settings', {
      as: ada,
      body: { location: '', website: '' },
    })
    expect(answer.body).toMatchObject({ location: '', website: '' })
  })

  it('returns 200 and ignores is_admin', async () => {
    const ada = await makePerson(site)
    await call(site, 'PATCH', '/user/settings', { as: ada, body: { is_admin: true, admin: true, id: 1 } })
    expect((await call(site, 'GET', '/user', { as: ada })).body.is_admin).toBe(false)
  })

  it.each(['javascript:alert(1)', 'ftp://x', 'nonsense', 'https://', '//x.example'])(
    'returns 422 for the website %s',
    async website => {
      const ada = await makePerson(site)
      const answer = await call(site, 'PATCH', '/user/settings', { as: ada, body: { website } })
      expect(answer.status).toBe(422)
      expect(answer.body.message).toMatch(/^\[Website\]: /)
    },
  )

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'PATCH', '/user/settings', { body: {} })).status).toBe(401)
  })
})

describe('PATCH /user/settings with change_full_name disabled', () => {
  const fixed = useSite({ disabledFeatures: new Set(['change_full_name']) })

  it('returns 403 for another full name, and 200 for the same one and other fields', async () => {
    const ada = await makePerson(fixed, { full_name: 'Ada' })
    const patch = (body: unknown) => call(fixed, 'PATCH', '/user/settings', { as: ada, body })
    expect((await patch({ full_name: 'Eve' })).status).toBe(403)
    expect((await patch({ full_name: 'Ada', location: 'Paris' })).body).toMatchObject({
      full_name: 'Ada',
      location: 'Paris',
    })
  })
})
