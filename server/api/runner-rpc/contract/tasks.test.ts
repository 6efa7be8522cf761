import { Code } from '@connectrpc/connect'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { Result, type Task } from '@/proto/gen/runner/v1/runner_pb'
import { call } from '@/testing/call'
import { createFakeRunner, type FakeRunner } from '@/testing/fake-runner'
import { makePerson, type Person } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let path: string
let runner: FakeRunner

beforeEach(async () => {
  ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  path = `/repos/${ada.name}/${repository.name}/actions`
  runner = await newRunner()
})

async function newRunner(options: Partial<Parameters<typeof makeRunner>[2]> = {}): Promise<FakeRunner> {
  const { runner, secret } = await makeRunner(site, ada, { labels: ['x'], ...options })
  return createFakeRunner(site, { identity: { uuid: runner.uuid, token: secret } })
}

const oneJob = 'on: push\njobs: { build: { runs-on: x, steps: [{ run: make }, { run: make test }] } }'

async function startRun(workflow = oneJob): Promise<{ id: number }> {
  const { status, body } = await call(site, 'POST', `${path}/runs`, { as: ada, body: { workflow } })
  expect(status).toBe(201)
  return body
}

async function fetchTask(from = runner): Promise<Task> {
  const task = await from.fetchTask()
  if (!task) throw new Error('there is no task')
  return task
}

const jobsOf = async ({ id }: { id: number }) =>
  (await call(site, 'GET', `${path}/runs/${id}/jobs`, { as: ada })).body.jobs

const logOf = async (job: { id: number }) =>
  (await call(site, 'GET', `${path}/jobs/${job.id}/logs`, { as: ada })).text.replace(/^\S+ /gm, '')

const codeOf = (answer: Promise<unknown>): Promise<Code> =>
  answer.then(
    () => 0,
    error => error.code,
  )

describe('a task', () => {
  it.each(['binary', 'json'] as const)('is fetched and completed in the format %s', async format => {
    const run = await startRun()
    const json = createFakeRunner(site, { format, ...(runner.identity && { identity: runner.identity }) })
    const task = await fetchTask(json)
    const { repository, run_id, token, event } = (task.context ?? {}) as Record<string, unknown>
    expect([repository, run_id]).toEqual([path.slice(7, -8), String(run.id)])
    expect(task.secrets.GITHUB_TOKEN).toBe(token)
    expect(typeof event).toBe('object')
    expect(Buffer.from(task.workflowPayload ?? []).toString()).toContain('make test')

    const held = json.take(task)
    await held.log('one', 'two')
    const steps = [{ id: 0n, result: Result.SUCCESS, logIndex: 0n, logLength: 2n }]
    const answer = await held.report({ steps, outputs: { version: '1' } })
    expect([answer.state?.result, answer.sentOutputs]).toEqual([Result.UNSPECIFIED, ['version']])
    const end = await held.finish({ steps })
    expect(end.state).toMatchObject({ id: task.id, result: Result.SUCCESS })
    const [job] = await jobsOf(run)
    expect(job).toMatchObject({ status: 'completed', conclusion: 'success' })
    expect(await logOf(job)).toBe('one\ntwo\n')
  })

  it('is searched for by each call, whatever version the last response had', async () => {
    expect(await runner.fetchTask({ timeoutMs: 1500 })).toBeUndefined()
    await startRun()
    expect(await runner.fetchTask()).toBeDefined()
  })

  it('is waited for no longer than the deadline of the call', async () => {
    const begin = performance.now()
    expect(await runner.fetchTask({ timeoutMs: 1500 })).toBeUndefined()
    expect(performance.now() - begin).toBeLessThan(1500)
  })

  it('can contain an event of several megabytes', async () => {
    const { id } = await startRun()
    const payload = {
      text: 'x'.repeat(100).repeat(50_000),
      list: Array.from({ length: 10_000 }, (_, at) => ({ at })),
    }
    await site.db
      .updateTable('workflow_runs')
      .set({ payload: JSON.stringify(payload) })
      .where('id', '=', id)
      .execute()
    expect((await fetchTask()).context?.event).toEqual(payload)
  })

  it('of another runner cannot be distinguished from one that never existed, and nothing sent about it is stored', async () => {
    const run = await startRun()
    const task = await fetchTask()
    const [other, unknown] = [await newRunner(), 999_999_999n]
    const reported = async (id: bigint) => {
      const ending = { steps: [{ id: 0n, result: Result.FAILURE }], outputs: { version: '9' } }
      const { state, sentOutputs } = await other.updateTask(id, { ...ending, result: Result.FAILURE })
      const rows = [await other.updateLog(id, 0, ['x']), await other.updateLog(id, 5, ['y'], true)]
      const negative = await codeOf(other.updateLog(id, -1, ['x']))
      return [{ ...state, id: 0n }, sentOutputs, rows, negative]
    }
    const answer = await reported(task.id)
    expect(answer).toEqual(await reported(unknown))
    expect(answer).toMatchObject([{ result: Result.CANCELLED }, ['version'], [1, 6], Code.InvalidArgument])

    const held = runner.take(task)
    await held.log('mine')
    expect((await held.report({ outputs: { version: '1' } })).state?.result).toBe(Result.UNSPECIFIED)
    await held.finish()
    const [job] = await jobsOf(run)
    expect([job.conclusion, await logOf(job)]).toEqual(['success', 'mine\n'])
  })

  it('that was deleted is answered as canceled, and its log is acknowledged', async () => {
    const run = await startRun()
    const held = runner.take(await fetchTask())
    await site.db.deleteFrom('workflow_runs').where('id', '=', run.id).execute()
    await held.log('a')
    expect((await held.finish()).state?.result).toBe(Result.CANCELLED)
  })
})

describe('the log of a task', () => {
  it('is complete even if responses are lost and parts are sent again', async () => {
    const run = await startRun()
    const { id } = await fetchTask()
    runner.loseAnswer('updateLog')
    await expect(runner.updateLog(id, 0, ['a', 'b'])).rejects.toThrow('discarded')
    expect(await runner.updateLog(id, 0, ['a', 'b', 'c'])).toBe(3)
    expect(await runner.updateLog(id, 7, ['z'])).toBe(3)
    runner.loseAnswer('updateLog')
    await expect(runner.updateLog(id, 3, [], true)).rejects.toThrow('discarded')
    expect(await runner.updateLog(id, 3, [], true)).toBe(3)
    expect(await codeOf(runner.updateLog(id, 3, ['d']))).toBe(Code.AlreadyExists)
    const [job] = await jobsOf(run)
    expect(await logOf(job)).toBe('a\nb\nc\n')
  })

  it('accepts 100 rows of 64 KiB in one part', async () => {
    const run = await startRun()
    const { id } = await fetchTask()
    const rows = Array.from({ length: 100 }, (_, at) => `${at} `.padEnd(65_536, 'x'))
    expect(await runner.updateLog(id, 0, rows, true)).toBe(100)
    const [job] = await jobsOf(run)
    expect(await logOf(job)).toBe(`${rows.join('\n')}\n`)
  })

  it('accepts many rows in parts, each up to the acknowledged number', async () => {
    const run = await startRun()
    const { id } = await fetchTask()
    const rows = Array.from({ length: 50_000 }, (_, at) => `row ${at}`)
    let sent = 0
    for (let calls = 0; sent < rows.length; calls++) {
      expect(calls).toBeLessThan(5)
      sent = await runner.updateLog(id, sent, rows.slice(sent), true)
    }
    const [job] = await jobsOf(run)
    expect(await logOf(job)).toBe(`${rows.join('\n')}\n`)
  })
})

describe('a report about a task', () => {
  it('accepts more outputs than a job can have, and also confirms those that are refused', async () => {
    await startRun()
    const { id } = await fetchTask()
    const mib = 1024 * 1024
    const outputs = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`o${at}`, 'x'.repeat(mib)]))
    const { sentOutputs } = await runner.updateTask(id, {
      outputs: { ...outputs, long: 'x'.repeat(mib + 1) },
    })
    expect([...sentOutputs].sort()).toEqual(['long', ...Object.keys(outputs)].sort())
  })

  it('is refused if it has more steps than any job', async () => {
    await startRun()
    const { id } = await fetchTask()
    const steps = Array.from({ length: 30_000 }, () => ({}))
    expect(await codeOf(runner.updateTask(id, { steps }))).toBe(Code.ResourceExhausted)
  })
})

describe('an ephemeral runner', () => {
  it('gets unauthenticated after its task, but can repeat its last reports', async () => {
    runner = await newRunner({ ephemeral: true })
    await startRun()
    await startRun()
    const held = runner.take(await fetchTask())
    await held.log('begun')
    expect(await runner.fetchTask({ timeoutMs: 1200 })).toBeUndefined()
    runner.loseAnswer('updateTask')
    await expect(held.finish()).rejects.toThrow('discarded')
    expect((await held.report({ result: Result.SUCCESS })).state?.result).toBe(Result.SUCCESS)
    expect(await codeOf(runner.fetchTask())).toBe(Code.Unauthenticated)
    expect(await codeOf(runner.declare(['x']))).toBe(Code.Unauthenticated)
  })
})

it('the token of a task gets upload URLs on the host by which the job reaches the site', async () => {
  const run = await startRun()
  const { context } = await fetchTask()
  const token = String((context as Record<string, unknown>).gitea_runtime_token)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const [, runId, jobId] = String(claims.scp).split(':')
  expect(runId).toBe(String(run.id))
  const service = 'github.actions.results.api.v1.ArtifactService'
  const response = await fetch(`${site.url}/twirp/${service}/CreateArtifact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      workflow_run_backend_id: runId,
      workflow_job_run_backend_id: jobId,
      name: 'a',
      version: 4,
    }),
  })
  expect((await response.json()).signed_upload_url).toMatch(new RegExp(`^${site.url}/-/artifacts/upload/`))
})
