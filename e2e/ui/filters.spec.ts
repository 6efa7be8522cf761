import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

test('every filter and sort field of a list has a visible label', async ({ page, site: { url } }) => {
  const owner = await makePerson(url, 'fay')
  const { org } = await makeTeam(url, owner)
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' }
  const hook = await call<{ id: number }>(url, 'POST', `/orgs/${org}/hooks`, { type: 'gitea', config }, owner)
  await call(url, 'POST', `/repos/${org}/engine/releases`, { tag_name: 'v1' }, owner)
  await signIn(page, url, owner, password)
  for (const path of [
    '/explore?q=x',
    `/-/orgs/${org}/people?q=x`,
    `/${org}/engine/branches?q=x`,
    `/${org}/engine/releases`,
    `/${org}/engine/actions?status=failure`,
    `/-/orgs/${org}/settings/hooks/${hook.id}/deliveries`,
    '/user/settings/keys?q=x',
  ]) {
    await page.goto(url + path)
    const selects = page.getByRole('main').getByRole('combobox')
    await expect(selects.first(), path).toBeVisible()
    const heights = await selects.evaluateAll(all =>
      all.map(each => [...(each as HTMLSelectElement).labels].map(label => label.offsetHeight)),
    )
    for (const ofOne of heights) {
      expect(ofOne.length, path).toBeGreaterThan(0)
      for (const height of ofOne) expect(height, path).toBeGreaterThan(10)
    }
  }
})
