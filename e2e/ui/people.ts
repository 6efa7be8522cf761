import { adminHeaders } from '../process/api'
import { expect } from './site'

/** Password of all people created by these tests. */
export const password = 'a long enough password'

let made = 0

/**
 * Creates a person who can sign in. Their name gets a unique number, because the tests of a file share a
 * site.
 */
export async function makePerson(site: string, name: string): Promise<string> {
  // No hyphen, because tests identify the people of a crowd by it.
  const username = `${name}_${++made}`
  await call(site, 'POST', '/admin/users', {
    username,
    email: `${username}@example.test`,
    full_name: `${name} of the tests`,
    password,
    must_change_password: false,
  })
  return username
}

/** Creates an organization of this owner with a private repository and a team that can write code. */
export async function makeTeam(site: string, owner: string): Promise<{ org: string; team: number }> {
  const org = `org-${++made}`
  await call(site, 'POST', '/orgs', { username: org, full_name: 'Acme Rockets' }, owner)
  await call(site, 'POST', `/orgs/${org}/repos`, { name: 'engine', private: true, auto_init: true }, owner)
  const units_map = { 'repo.code': 'write', 'repo.issues': 'read' }
  const body = { name: 'core', permission: 'write', units_map }
  const team = await call<{ id: number }>(site, 'POST', `/orgs/${org}/teams`, body, owner)
  return { org, team: team.id }
}

/** Calls the API as this person, or as the administrator by default, and expects success. */
export async function call<T>(
  site: string,
  method: string,
  path: string,
  body?: object,
  login?: string,
): Promise<T> {
  const basic = Buffer.from(`${login}:${password}`).toString('base64')
  const headers = login ? { ...adminHeaders, authorization: `Basic ${basic}` } : adminHeaders
  const response = await fetch(`${site}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
  return JSON.parse(text || 'null')
}
