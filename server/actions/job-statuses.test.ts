import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { Result } from '@/proto/gen/runner/v1/runner_pb'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { countQueries } from '@/testing/count-queries'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createTestWorkflows, type TestWorkflows } from '@/testing/workflow-runs'
import { reportJobs } from './job-statuses'
import { selectJobs } from './job-store'

const site = useSite()
let ada: Person
let code: CodeRepository
let workflows: TestWorkflows
let sha: string
let commits = 0

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'a.txt': 'a\n' })
  workflows = await createTestWorkflows(site, ada, code)
})

async function start(jobs: string): Promise<number> {
  sha = await code.commit({ 'a.txt': `${++commits}\n` })
  return await workflows.start(`name: CI\non: push\njobs:\n${jobs}`, { sha, event: 'push' })
}
const job = (name: string, more = '') => `  ${name}: { runs-on: x, ${more} steps: [{ run: make }] }\n`

type Shown = {
  id: number
  context: string
  status: string
  description: string
  target_url: string
  creator: { login: string }
}
const statuses = async (): Promise<Shown[]> =>
  (await call(site, 'GET', `${code.path}/statuses/${sha}?sort=oldest`, { as: ada })).body
const news = async (since = 0) =>
  (await statuses())
    .slice(since)
    .map(({ context, status, description }) => `${context}: ${status}, ${description.replace(/\d+s$/, 'Ns')}`)

describe('the jobs of a run report on its commit', () => {
  it('when they wait, are queued, start, and end', async () => {
    const run = await start(job('build') + job('test', 'needs: build,') + job('deploy', 'needs: test,'))
    expect((await news()).sort()).toEqual([
      'CI / build (push): pending, Waiting to run',
      'CI / deploy (push): pending, Blocked by required conditions',
      'CI / test (push): pending, Blocked by required conditions',
    ])
    await workflows.run('build')
    expect(await news(3)).toEqual([
      'CI / build (push): pending, Has started running',
      'CI / build (push): success, Successful in Ns',
      'CI / test (push): pending, Waiting to run',
    ])
    await workflows.run('test', {}, Result.FAILURE)
    expect(await news(6)).toEqual([
      'CI / test (push): pending, Has started running',
      'CI / test (push): failure, Failing after Ns',
      'CI / deploy (push): skipped, Has been skipped',
    ])
    const [first] = await statuses()
    const jobs = await workflows.details(run)
    expect(first?.creator.login).toBe(ada.name)
    expect(jobs.map(({ html_url }) => html_url)).toContain(first?.target_url)
    const { body } = await call(site, 'GET', `${code.path}/commits/${sha}/status`, { as: ada })
    expect([body.state, body.total_count]).toEqual(['failure', 3])
  })

  it('when they are canceled and rerun', async () => {
    const run = await start(job('build'))
    await call(site, 'POST', `${workflows.path}/runs/${run}/cancel`, { as: ada })
    await call(site, 'POST', `${workflows.path}/runs/${run}/rerun`, { as: ada })
    expect(await news()).toEqual([
      'CI / build (push): pending, Waiting to run',
      'CI / build (push): failure, Has been cancelled',
      'CI / build (push): pending, Waiting to run',
    ])
    const [before, , after] = await statuses()
    expect(after?.target_url).not.toBe(before?.target_url)
    await workflows.run('build')
  })

  it('with a URL below the current name of the repository', async () => {
    await start(job('build'))
    await workflows.run('build')
    const other = await makeCode(site, ada, { 'a.txt': 'a\n' })
    await site.db
      .updateTable('commit_statuses')
      .set({ repository_id: other.id })
      .where('sha', '=', sha)
      .execute()
    await other.git('fetch', '-q', code.directory, sha)
    const { body } = await call(site, 'GET', `${other.path}/statuses/${sha}`, { as: ada })
    expect(body[0]?.target_url).toContain(`/${ada.name}/${other.name}/actions/runs/`)
  })

  it('with one statement for all of them', async () => {
    const run = await start(job('build', 'strategy: { matrix: { n: [1, 2, 3, 4, 5, 6, 7, 8, 9] } },'))
    expect(await statuses()).toHaveLength(9)
    const rows = await selectJobs(site.db, run, 1)
    const queries = countQueries(site)
    const ctx = {
      ...site.services,
      caller: { kind: 'system', job: 'test' } as const,
      requestId: '',
      remoteAddress: '',
    }
    await site.services.db
      .transaction()
      .execute(trx => reportJobs(trx, ctx, { id: code.id, owner_id: ada.account.id }, rows))
    expect(queries.all).toBe(1)
    expect(await statuses()).toHaveLength(18)
  })

  it('and only the newest 1,000 of a context are kept', async () => {
    const run = await start(job('build'))
    const [first] = await statuses()
    await sql`insert into commit_statuses (repository_id, sha, number, context, state, source)
      select ${code.id}, ${sha}, number, ${first?.context}, 'pending', 'run' from generate_series(2, 1000) number`.execute(
      site.db,
    )
    await site.db
      .updateTable('commit_status_totals')
      .set({ last_number: 1000 })
      .where('sha', '=', sha)
      .execute()
    await call(site, 'POST', `${workflows.path}/runs/${run}/cancel`, { as: ada })
    const answer = await call(site, 'GET', `${code.path}/statuses/${sha}?sort=oldest&limit=1`, { as: ada })
    expect([answer.headers.get('x-total-count'), answer.body[0].id]).toEqual(['1000', 2])
  })
})
