import { expect, it } from 'vitest'
import { ownAddress } from './gitea-addresses'

it.each([
  ['/login', '/-/sign-in'],
  ['/user/login?redirect_to=%2Fexplore%3Fq%3Dx', '/-/sign-in?next=%2Fexplore%3Fq%3Dx'],
  ['/user/settings/hooks/gitea/new', '/user/settings/hooks/new?type=gitea'],
  ['/-/admin/default-hooks/slack/new', '/-/admin/hooks/new?type=slack&for=new'],
  ['/-/admin/system-hooks/7', '/-/admin/hooks/7'],
  ['/org/acme', '/acme'],
  ['/org/acme/teams', '/-/orgs/acme/teams'],
  ['/org/acme/teams/a%20b/edit?x=1', '/-/orgs/acme/teams/a%20b/edit?x=1'],
  ['/org/acme/settings/hooks', '/-/orgs/acme/settings/hooks'],
  ['/explore/repos?q=site', '/explore?q=site'],
  ['/swagger.v1.json', '/api/v1/openapi.json'],
])('Gitea’s address %s leads to %s', (from, to) => {
  const { pathname, searchParams } = new URL(from, 'http://host')
  expect(ownAddress(pathname, searchParams)).toBe(to)
})

it.each(['/', '/explore', '/loginx', '/explore/other', '/swaggerxv1xjson', '/org', '/acme/org/acme'])(
  '%s is no address of Gitea’s',
  path => {
    expect(ownAddress(path, new URLSearchParams())).toBeUndefined()
  },
)
