import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const kept = keptLog()
const site = useSite({}, kept.log)

it('a failed team search returns 500 with ok false and an error with a request ID, and the log has the details', async () => {
  const { root, org } = await makeTeamCast(site)
  await sql`alter table teams rename to gone`.execute(site.db)
  const answer = await call(site, 'GET', `/orgs/${org.name}/teams/search?q=x`, { as: root })
  expect([answer.status, answer.body]).toEqual([
    500,
    { ok: false, error: expect.stringMatching(/^internal error \(request [0-9a-f-]{36}\)$/) },
  ])
  expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
  expect(kept.text()).toContain(/request ([0-9a-f-]{36})/.exec(answer.body.error)?.[1])
  const list = await call(site, 'GET', `/orgs/${org.name}/teams`, { as: root })
  expect([list.status, list.body]).toEqual([
    500,
    { message: expect.stringContaining('internal error'), url: `${site.url}/api/docs` },
  ])
})
