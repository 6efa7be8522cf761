import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const workflow =
  'on: push\njobs: { a: { runs-on: x, steps: [{ run: make }] }, b: { needs: a, runs-on: x, steps: [{ run: make }] } }'

async function makeWorld() {
  const ada = await makePerson(site)
  const org = await makeOrg(site.db, ada.account.id)
  const own = await makeRepository(site.db, ada.account.id)
  const theirs = await makeRepository(site.db, org.id, { is_private: true })
  const runIn = async (owner: string, name: string, title: string) => {
    const { body } = await call(site, 'POST', `/repos/${owner}/${name}/actions/runs`, {
      as: ada,
      body: { workflow, title },
    })
    return body.id as number
  }
  const first = await runIn(ada.name, own.name, 'One')
  await runIn(org.name, theirs.name, 'Two')
  await runIn(ada.name, own.name, 'Three')
  await call(site, 'POST', `/repos/${ada.name}/${own.name}/actions/runs/${first}/cancel`, { as: ada })
  return { ada, org, own, theirs }
}

const titles = (body: { workflow_runs: { display_title: string }[] }) =>
  body.workflow_runs.map(run => run.display_title)

describe('workflow runs and jobs', () => {
  it('are listed across all repositories of a user, an organization, or the site', async () => {
    const { ada, org, own, theirs } = await makeWorld()
    const { body } = await call(site, 'GET', '/user/actions/runs', { as: ada })
    expect(titles(body)).toEqual(['Three', 'One'])
    expect(body).toMatchObject({
      total_count: 2,
      workflow_runs: [
        { repository: { full_name: `${ada.name}/${own.name}` }, actor: { login: ada.name } },
        {},
      ],
    })
    const ofOrg = await call(site, 'GET', `/orgs/${org.name}/actions/runs`, { as: ada })
    expect(titles(ofOrg.body)).toEqual(['Two'])
    expect(ofOrg.body.workflow_runs[0].repository.full_name).toBe(`${org.name}/${theirs.name}`)
    const admin = await makePerson(site, { is_admin: true })
    const all = await call(site, 'GET', '/admin/actions/runs?limit=3', { as: admin })
    expect(titles(all.body)).toEqual(['Three', 'Two', 'One'])
    const jobs = await call(site, 'GET', '/user/actions/jobs?status=waiting&limit=1', { as: ada })
    expect(jobs.body).toMatchObject({ total_count: 1, jobs: [{ name: 'b', status: 'waiting' }] })
    const cancelled = await call(site, 'GET', '/user/actions/runs?status=cancelled', { as: ada })
    expect(titles(cancelled.body)).toEqual(['One'])
    expect(await call(site, 'GET', '/user/actions/jobs?status=odd', { as: ada })).toMatchObject({
      status: 422,
    })
  })

  it('are shown only to people who manage the user, organization, or site, with a token of the right scope', async () => {
    const { ada, org } = await makeWorld()
    const grace = await makePerson(site)
    const status = async (path: string, as?: Parameters<typeof call>[3]) =>
      (await call(site, 'GET', path, as)).status
    for (const what of ['runs', 'jobs']) {
      expect(await status(`/user/actions/${what}`)).toBe(401)
      expect(await status(`/orgs/${org.name}/actions/${what}`, { as: grace })).toBe(403)
      expect(await status(`/admin/actions/${what}`, { as: ada })).toBe(403)
      const token = await makeToken(site, ada.account.id, ['read:repository'])
      expect(await status(`/user/actions/${what}`, { as: { token } })).toBe(403)
    }
  })

  it('are listed for a repository as the jobs of all its runs', async () => {
    const { ada, own, org, theirs } = await makeWorld()
    const { body } = await call(site, 'GET', `/repos/${ada.name}/${own.name}/actions/jobs`)
    expect(body.total_count).toBe(4)
    expect(body.jobs.map((job: { status: string }) => job.status)).toEqual([
      'waiting',
      'queued',
      'completed',
      'completed',
    ])
    expect(await call(site, 'GET', `/repos/${org.name}/${theirs.name}/actions/jobs`)).toMatchObject({
      status: 404,
    })
  })
})
