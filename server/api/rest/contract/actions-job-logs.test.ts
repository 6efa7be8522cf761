import { beforeAll, describe, expect, it } from 'vitest'
import { appendRows } from '@/server/actions/logs/append'
import { storeLogsJob } from '@/server/actions/logs/store-logs'
import { jobContext } from '@/server/services'
import { createTestRun, planned, type TestRun } from '@/testing/actions'
import { giveTask, startQueuedRun } from '@/testing/assigned'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const lines = '2026-09-21T14:13:20.0000000Z one\n2026-09-21T14:13:20.0000000Z two €\n'
let run: TestRun
let path: string

beforeAll(async () => {
  run = await createTestRun(site, { isPrivate: true })
  const [{ job, task }] = run.jobs
  path = `${run.path}/actions/jobs/${job.id}/logs`
  const rows = ['one', 'two €'].map(content => ({ time: { seconds: 1_790_000_000n, nanos: 0 }, content }))
  const part = { taskId: task.id, index: 0, rows, isLast: true }
  await appendRows(jobContext(site.services, 'test'), await giveTask(site, task.id), part)
})

describe('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', () => {
  it('returns 200 and the log as a text attachment, from the database or the storage', async () => {
    for (const _ of ['in the database', 'in the storage']) {
      const { status, headers, text } = await call(site, 'GET', path, { as: run.ada })
      expect([status, text]).toEqual([200, lines])
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(lines)))
      const name = `test-build-${run.jobs[0].job.id}.log`
      expect(headers.get('content-disposition')).toContain(`attachment; filename="${name}"`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      await storeLogsJob.run(jobContext(site.services, 'test'), new AbortController().signal)
    }
  })

  it('returns 200 with headers only for HEAD', async () => {
    const { status, text } = await call(site, 'HEAD', path, { as: run.ada })
    expect([status, text]).toEqual([200, ''])
  })

  it('returns 200 and an empty text for a job that has not sent any log rows', async () => {
    const other = await createTestRun(site)
    const answer = await call(site, 'GET', `${other.path}/actions/jobs/${other.jobs[0].job.id}/logs`)
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  it('returns 403 if the token has no repository scope', async () => {
    const token = await makeToken(site, run.ada.account.id, ['read:user'])
    expect((await call(site, 'GET', path, { as: { token } })).status).toBe(403)
  })

  it('returns 404 if the job has not started, belongs to another repository, or is not visible', async () => {
    const queued = await startQueuedRun(site, [planned('build')])
    const { id } = await queued.job('build')
    const found = await queued.found()
    const other = `/repos/${found.owner.name}/${found.repository.name}/actions/jobs`
    for (const wrong of [`${other}/${id}/logs`, `${other}/${run.jobs[0].job.id}/logs`, `${other}/0/logs`]) {
      const { status, body } = await call(site, 'GET', wrong, { as: queued.ada })
      expect([status, typeof body.message]).toEqual([404, 'string'])
    }
    expect((await call(site, 'GET', path, { as: await makePerson(site) })).status).toBe(404)
  })

  it('returns 405 for other methods', async () => {
    const answer = await call(site, 'POST', path, { as: run.ada })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

it('the website also serves the job log, and rejects requests in plain text', async () => {
  const on = (as?: string) =>
    fetch(`${site.url}${path.replace('/repos', '')}`, { headers: as ? { authorization: `token ${as}` } : {} })
  expect(await (await on(run.ada.token)).text()).toBe(lines)
  const refused = await on()
  expect([refused.status, refused.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
})
