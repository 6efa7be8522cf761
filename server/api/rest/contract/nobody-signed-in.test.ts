import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Returns the status and message that a request without credentials gets. */
const reported = async (method: string, path: string) => {
  const { status, body } = await call(site, method, path, { body: method === 'GET' ? undefined : {} })
  return [status, body.message]
}

const signIn = [401, 'token is required']
const absent = [404, 'not found']

describe('an endpoint that requires credentials', () => {
  it('returns 401 without credentials for a public organization, team, or repository', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const team = await makeTeam(site.db, org.id)
    const repository = await makeRepository(site.db, org.id)
    for (const [method, path] of [
      ['GET', `/orgs/${org.name}/teams`],
      ['PATCH', `/orgs/${org.name.toUpperCase()}`],
      ['POST', `/org/${org.name}/repos`],
      ['GET', `/teams/${team.id}`],
      ['PUT', `/teams/${team.id}/members/${owner.name}`],
      ['PATCH', `/repos/${org.name}/${repository.name}`],
    ] as const) {
      expect([path, ...(await reported(method, path))]).toEqual([path, ...signIn])
    }
  })

  it('returns 404 without credentials for an absent or hidden organization, team, or repository', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'limited' })
    const team = await makeTeam(site.db, org.id)
    const secret = await makeRepository(site.db, owner.account.id, { is_private: true })
    for (const [method, path] of [
      ['GET', '/orgs/nobody-here/teams'],
      ['PATCH', '/orgs/%00'],
      ['GET', `/orgs/${owner.name}/teams`],
      ['GET', `/orgs/${org.name}/teams`],
      ['POST', `/org/${org.name}/repos`],
      ['GET', '/teams/99999999'],
      ['GET', '/teams/abc'],
      ['DELETE', '/teams/99999999999999999999'],
      ['GET', `/teams/${team.id}`],
      ['PATCH', `/repos/${owner.name}/nothing-here`],
      ['PATCH', `/repos/${owner.name}/${secret.name}`],
    ] as const) {
      expect([path, ...(await reported(method, path))]).toEqual([path, ...absent])
    }
  })

  it('returns 401 for invalid credentials, even if the team does not exist', async () => {
    const answer = await call(site, 'GET', '/teams/99999999', { as: { token: '0'.repeat(40) } })
    expect(answer.status).toBe(401)
  })
})
