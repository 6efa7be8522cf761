import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const { log, text } = keptLog()
const site = useSite({ artifactBaseUrl: 'http://artifacts.example.test' }, log)

const job = (needs = '[]') => `{ runs-on: x, needs: ${needs}, steps: [{ run: make }] }`
const workflow = `on: push\njobs:\n  build: ${job()}\n  test: ${job('build')}\n`

async function makeRun() {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const at = `/repos/${ada.name}/${repository.name}/actions`
  const { body: run } = await call(site, 'POST', `${at}/runs`, { as: ada, body: { workflow } })
  const jobs = await call(site, 'GET', `${at}/runs/${run.id}/jobs`)
  const [build, test] = jobs.body.jobs.map(({ id }: { id: number }) => id)
  return {
    at,
    run,
    build,
    name: `${ada.name}/${repository.name}`,
    start: (id: number) => call(site, 'POST', `${at}/jobs/${id}/tasks`, { as: ada }),
    finish: (id: number, conclusion: string) =>
      call(site, 'PATCH', `${at}/tasks/${id}`, { as: ada, body: { conclusion } }),
    shown: async () => {
      const [{ body: now }, { body: list }] = await Promise.all([
        call(site, 'GET', `${at}/runs/${run.id}`),
        call(site, 'GET', `${at}/runs/${run.id}/jobs`),
      ])
      return [now, ...list.jobs].map(({ status, conclusion }) => conclusion ?? status)
    },
    test,
  }
}

describe('a job done without a runner', () => {
  it('receives a token and the environment variables for artifact clients', async () => {
    const { run, name, build, start } = await makeRun()
    const { status, body } = await start(build)
    expect([status, body.job_id, body.run_id]).toEqual([201, build, run.id])
    expect(body.environment).toEqual({
      ACTIONS_RUNTIME_TOKEN: body.token,
      ACTIONS_RESULTS_URL: 'http://artifacts.example.test',
      GITHUB_RUN_ID: String(run.id),
      GITHUB_REPOSITORY: name,
      GITHUB_RETENTION_DAYS: '90',
    })
    expect(decodeJwt(body.token)).toMatchObject({
      scp: `Actions.Results:${run.id}:${build}`,
      TaskID: body.id,
      exp: Date.parse(body.expires_at) / 1000,
    })
  })

  it('starts once, only after the jobs it needs, and finishes with the reported conclusion', async () => {
    const { build, test, start, finish, shown } = await makeRun()
    expect((await start(test)).status).toBe(422)
    const { body: task } = await start(build)
    expect((await start(build)).status).toBe(409)
    expect(await shown()).toEqual(['in_progress', 'in_progress', 'waiting'])
    const ended = await finish(task.id, 'success')
    expect([ended.status, ended.body]).toMatchObject([200, { status: 'ended', conclusion: 'success' }])
    expect((await finish(task.id, 'success')).status).toBe(200)
    expect((await finish(task.id, 'failure')).status).toBe(409)
    expect((await finish(task.id, 'great')).status).toBe(422)
    const { body: next } = await start(test)
    await finish(next.id, 'failure')
    expect(await shown()).toEqual(['failure', 'success', 'failure'])
    expect((await start(test)).status).toBe(409)
  })

  it('does not store its token or write it to the log', async () => {
    const { build, start, finish } = await makeRun()
    const { body } = await start(build)
    await finish(body.id, 'success')
    const [, , signature] = body.token.split('.')
    expect(text()).not.toContain(signature)
    const rows = await site.db.selectFrom('workflow_tasks').selectAll().where('id', '=', body.id).execute()
    expect(JSON.stringify(rows)).not.toContain(signature)
  })

  it('returns 404 for a job or task of another repository', async () => {
    const [one, other] = [await makeRun(), await makeRun()]
    const { body: task } = await other.start(other.build)
    expect((await one.start(other.build)).status).toBe(404)
    expect((await one.finish(task.id, 'success')).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/actions/tasks', () => {
  it('returns 200 and the executions of jobs, newest first, in pages, with what Gitea lists', async () => {
    const { at, run, name, build, test, start, finish } = await makeRun()
    const list = async (query = '') => (await call(site, 'GET', `${at}/tasks${query}`)).body
    expect(await list()).toEqual({ workflow_runs: [], total_count: 0 })
    const { body: first } = await start(build)
    expect((await list()).workflow_runs).toMatchObject([{ id: first.id, status: 'running' }])
    await finish(first.id, 'success')
    const { body: second } = await start(test)
    await finish(second.id, 'failure')
    const time = expect.stringMatching(/^20\d\d-.+Z$/)
    expect(await list('?limit=1&page=2')).toEqual({
      total_count: 2,
      workflow_runs: [
        {
          id: first.id,
          name: 'build',
          head_branch: 'main',
          head_sha: run.head_sha,
          run_number: 1,
          event: 'workflow_dispatch',
          display_title: run.display_title,
          status: 'success',
          workflow_id: 'workflow.yml',
          url: `${site.url}/${name}/actions/runs/${run.id}`,
          created_at: time,
          updated_at: time,
          run_started_at: time,
        },
      ],
    })
    expect((await list()).workflow_runs).toMatchObject([
      { id: second.id, status: 'failure' },
      { id: first.id },
    ])
  })
})
