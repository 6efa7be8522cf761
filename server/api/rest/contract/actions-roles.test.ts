import { expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeRunningJob, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const workflow = 'on: push\njobs: { a: { runs-on: x, steps: [{ run: make }] } }'

async function makeCast(isPrivate: boolean) {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, org.id, { is_private: isPrivate })
  const teams = {
    'actions reader': { 'repo.actions': 'read' },
    'code writer': { 'repo.code': 'write' },
    'actions writer': { 'repo.actions': 'write' },
    'writer of both': { 'repo.actions': 'write', 'repo.code': 'write' },
  } as const
  const people = new Map<string, { token: string } | undefined>([['anonymous', undefined]])
  for (const [role, units] of Object.entries(teams)) {
    const person = await makePerson(site)
    const team = await makeTeam(site.db, org.id, { mode: 'read' }, units)
    await addToTeam(site.db, team, person.account.id)
    await attach(site.db, team, repository.id)
    people.set(role, person)
    if (role !== 'writer of both') continue
    people.set('writer with a read-only token', {
      token: await makeToken(site, person.account.id, ['read:repository']),
    })
  }
  const { run_id, job_id, task_id } = await makeRunningJob(site.db, repository.id)
  const at = `/repos/${org.name}/${repository.name}/actions`
  return async (method: string, path: string, body?: object) => {
    const answered: Record<string, number> = {}
    for (const [role, as] of people) {
      const options = { ...(as && { as }), ...(body && { body }) }
      const basePath = path
        .replace('RUN', String(run_id))
        .replace('TASK', String(task_id))
        .replace('JOB', String(job_id))
      answered[role] = (await call(site, method, at + basePath, options)).status
    }
    return answered
  }
}

const roles = (...statuses: number[]) => ({
  anonymous: statuses[0],
  'actions reader': statuses[1],
  'code writer': statuses[2],
  'actions writer': statuses[3],
  'writer of both': statuses[4],
  'writer with a read-only token': statuses[5],
})

it('runs of a private repository can be read with read permission on actions, and changed with write permission', async () => {
  const answersTo = await makeCast(true)
  for (const path of ['/runs', '/runs/RUN', '/runs/RUN/jobs', '/runs/RUN/attempts/1']) {
    expect(await answersTo('GET', path), path).toEqual(roles(404, 200, 403, 200, 200, 200))
  }
  // Submitting a workflow or getting a job's token gives access to the code.
  expect(await answersTo('POST', '/runs', { workflow })).toEqual(roles(404, 403, 403, 403, 201, 403))
  expect(await answersTo('POST', '/jobs/JOB/tasks')).toEqual(roles(404, 403, 403, 403, 409, 403))
  expect(await answersTo('PATCH', '/tasks/TASK', { conclusion: 'success' })).toEqual(
    roles(404, 403, 403, 200, 200, 403),
  )
  expect(await answersTo('POST', '/runs/RUN/rerun')).toEqual(roles(404, 403, 403, 201, 409, 403))
  expect(await answersTo('POST', '/runs/RUN/cancel')).toEqual(roles(404, 403, 403, 204, 409, 403))
  expect(await answersTo('DELETE', '/runs/RUN')).toEqual(roles(404, 403, 403, 204, 404, 403))
})

it('runs of a public repository can be read by everyone', async () => {
  const answersTo = await makeCast(false)
  expect(await answersTo('GET', '/runs')).toEqual(roles(200, 200, 200, 200, 200, 200))
  expect(await answersTo('POST', '/runs', { workflow })).toEqual(roles(401, 403, 403, 403, 201, 403))
})
