import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const workflow = `on: push
jobs:
  build: { runs-on: x, steps: [{ run: make }] }
  lint: { runs-on: x, steps: [{ run: make }] }
  test: { needs: build, runs-on: x, steps: [{ run: make }] }`

async function makeRun() {
  const ada = await makePerson(site)
  const { name } = await makeRepository(site.db, ada.account.id)
  const at = `/repos/${ada.name}/${name}/actions`
  const does = (method: string, path: string, body?: object) =>
    call(site, method, `${at}${path}`, { as: ada, ...(body && { body }) })
  const { body: run } = await does('POST', '/runs', { workflow })
  const jobs = async () => (await does('GET', `/runs/${run.id}/jobs`)).body.jobs
  return {
    does,
    run: `/runs/${run.id}`,
    jobs,
    async end(name: string, conclusion: string) {
      const job = (await jobs()).find((each: { name: string }) => each.name === name)
      const { body: task } = await does('POST', `/jobs/${job.id}/tasks`)
      await does('PATCH', `/tasks/${task.id}`, { conclusion })
    },
    async states() {
      const shown = (await jobs()).map((job: Record<string, string>) => job.conclusion ?? job.status)
      return shown.join(' ')
    },
  }
}

describe('a workflow run', () => {
  it('can be canceled once, which cancels its unfinished jobs', async () => {
    const { does, run, end, states } = await makeRun()
    await end('lint', 'success')
    expect(await does('POST', `${run}/cancel`)).toMatchObject({ status: 204 })
    expect(await states()).toBe('cancelled success cancelled')
    expect((await does('GET', run)).body).toMatchObject({ status: 'completed', conclusion: 'cancelled' })
    expect(await does('POST', `${run}/cancel`)).toMatchObject({ status: 409 })
  })

  it('can be rerun as a whole, for its failed jobs, or for one job with its dependent jobs, once it has completed', async () => {
    const { does, run, jobs, end, states } = await makeRun()
    expect(await does('POST', `${run}/rerun`)).toMatchObject({ status: 409 })
    await end('build', 'failure')
    await end('lint', 'success')
    expect(await states()).toBe('failure success skipped')
    const failed = await does('POST', `${run}/rerun-failed-jobs`)
    expect(failed).toMatchObject({ status: 201, body: { run_attempt: 2, status: 'queued' } })
    expect(await states()).toBe('queued success waiting')
    await end('build', 'success')
    await end('test', 'success')
    expect(await does('POST', `${run}/rerun-failed-jobs`)).toMatchObject({ status: 422 })
    const [, lint] = await jobs()
    const job = await does('POST', `${run}/jobs/${lint.id}/rerun`)
    expect(job).toMatchObject({ status: 201, body: { name: 'lint', run_attempt: 3, status: 'queued' } })
    expect(await states()).toBe('success queued success')
    await end('lint', 'success')
    expect(await does('POST', `${run}/jobs/${lint.id}/rerun`)).toMatchObject({ status: 404 })
    expect(await does('POST', `${run}/rerun`)).toMatchObject({ status: 201, body: { run_attempt: 4 } })
    expect(await states()).toBe('queued queued waiting')
  })

  it('can be deleted only after it has completed', async () => {
    const { does, run } = await makeRun()
    expect(await does('DELETE', run)).toMatchObject({
      status: 400,
      body: { message: 'this workflow run is not done' },
    })
    await does('POST', `${run}/cancel`)
    expect(await does('DELETE', run)).toMatchObject({ status: 204 })
    expect(await does('GET', run)).toMatchObject({ status: 404 })
    expect((await does('GET', '/runs')).body).toEqual({ workflow_runs: [], total_count: 0 })
    expect(await does('DELETE', run)).toMatchObject({ status: 404 })
  })

  it('shows which runner runs a job', async () => {
    const { does, jobs } = await makeRun()
    const [job] = await jobs()
    expect(job).toMatchObject({ runner_name: '', steps: [] })
    await does('POST', `/jobs/${job.id}/tasks`)
    const steps = [
      {
        name: 'Run make',
        status: 'in_progress',
        conclusion: null,
        started_at: '2026-01-01T00:00:00Z',
        completed_at: null,
        log_index: 0,
        log_length: 2,
      },
    ]
    await site.db
      .updateTable('workflow_tasks')
      .set({ runner_name: 'gnome', steps: JSON.stringify(steps) })
      .where('job_id', '=', job.id)
      .execute()
    expect((await jobs())[0]).toMatchObject({
      runner_name: 'gnome',
      steps: [{ name: 'Run make', number: 1, status: 'in_progress', started_at: '2026-01-01T00:00:00Z' }],
    })
  })
})
