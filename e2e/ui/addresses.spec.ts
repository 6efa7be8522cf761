import type { Page } from '@playwright/test'
import { call, makePerson, password } from './people'
import { expect, signIn, statusOf, test } from './site'

/** Returns the path and query to which a URL redirects, relative to the site's base URL. */
async function landing(page: Page, url: string, path: string): Promise<string> {
  await page.goto(url + path, { waitUntil: 'commit' })
  return page.url().slice(url.length)
}

test('a page’s former URL redirects to the new one until an account has the first path segment as its name', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'owner')
  await call(site.url, 'POST', '/orgs', { username: 'harbor' }, owner)
  await signIn(page, site.url, owner, password)
  for (const [from, to] of [
    ['/orgs', '/-/orgs'],
    ['/new?owner=harbor', '/-/new?owner=harbor'],
    ['/orgs/new', '/-/orgs/new'],
    ['/orgs/harbor/people?page=1', '/-/orgs/harbor/people?page=1'],
    ['/orgs/harbor/settings', '/-/orgs/harbor/settings'],
    ['/orgs/harbor/teams/Owners/repositories', '/-/orgs/harbor/teams/Owners/repositories'],
  ]) {
    expect(await landing(page, site.url, from as string), from).toBe(to)
  }
  await call(site.url, 'POST', '/orgs', { username: 'new' }, owner)
  expect(await landing(page, site.url, '/new')).toBe('/new')
  await expect(page.getByRole('heading', { name: 'new', level: 1 })).toBeVisible()
})

test('Gitea’s page URLs redirect to the corresponding pages', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'owner')
  await call(site.url, 'POST', '/user/repos', { name: 'site', auto_init: true }, owner)
  await call(site.url, 'POST', '/orgs', { username: 'pier' }, owner)
  await page.goto(`${site.url}/user/login?redirect_to=%2Fexplore%3Fq%3Dx`)
  const signInPage = new URL(page.url())
  expect([signInPage.pathname, signInPage.searchParams.get('next')]).toEqual(['/-/sign-in', '/explore?q=x'])
  await signIn(page, site.url, owner, password)
  for (const [from, to] of [
    ['/user/settings/applications', '/user/settings/tokens'],
    ['/user/settings/ssh-gpg', '/user/settings/keys'],
    ['/user/settings/account', '/user/settings/password'],
    ['/repo/create', '/-/new'],
    ['/org/create', '/-/orgs/new'],
    ['/org/pier', '/pier'],
    ['/org/pier/teams/Owners', '/-/orgs/pier/teams/Owners'],
    ['/explore/repos', '/explore'],
    ['/api/swagger', '/api/docs'],
    ['/swagger.v1.json', '/api/v1/openapi.json'],
    ['/openapi3.v1.json', '/api/v1/openapi.json'],
    [`/${owner}/site/src/main/README.md`, `/${owner}/site/src/branch/main/README.md`],
    [`/${owner}/site/tree/main`, `/${owner}/site/src/branch/main`],
    [`/${owner}/site/blob/main/README.md`, `/${owner}/site/src/branch/main/README.md`],
    [`/${owner}/site/commits/main`, `/${owner}/site/commits/branch/main`],
    [`/${owner}/site/commits`, `/${owner}/site/commits/branch/main`],
    ['/org/pier/settings/hooks', '/-/orgs/pier/settings/hooks'],
    ['/org/pier/settings/hooks/slack/new', '/-/orgs/pier/settings/hooks/new?type=slack'],
    ['/user/settings/hooks/gitea/new', '/user/settings/hooks/new?type=gitea'],
    [`/${owner}/site/settings/hooks/gitea/new`, `/${owner}/site/settings/hooks/new?type=gitea`],
    [`/${owner}/site/actions/workflows/ci.yml`, `/${owner}/site/actions?workflow=ci.yml`],
    [`/${owner}/site/settings/collaboration`, `/${owner}/site/settings/access`],
  ]) {
    expect(await landing(page, site.url, from as string), from).toBe(to)
  }
  expect(await statusOf(page, `${site.url}/${owner}/site/nothing/of/the/kind`)).toBe(404)
})
