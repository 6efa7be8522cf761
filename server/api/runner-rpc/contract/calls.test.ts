import { rename } from 'node:fs/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Result, type Task } from '@/proto/gen/runner/v1/runner_pb'
import { forgetObjects } from '@/server/kernel/git/objects'
import { jobContext } from '@/server/services'
import { openCalls } from '@/server/triggers/call-worker'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { keptLog } from '@/testing/kept-log'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createTestWorkflows, type TestWorkflows } from '@/testing/workflow-runs'
import { commitFiles, startWaiting } from '@/testing/workflows'

const site = useSite()
const work = useWorkDirectory()
let test: TestWorkflows
let ada: Person
let local: string
let repository: Awaited<ReturnType<typeof makeGitRepository>>

beforeEach(async () => {
  ada = await makePerson(site)
  repository = await makeGitRepository(site, ada.account)
  const [, , name = ''] = repository.path.split('/')
  test = await createTestWorkflows(site, ada, { id: repository.id, name })
  local = work.path()
  await startLocal(local)
})

const steps = 'steps: [{ run: make }]'
const jobs = (...lines: string[]): string => `jobs:\n${lines.map(line => `  ${line}`).join('\n')}\n`
const callable = (call: string, ...lines: string[]): string =>
  `on: { workflow_call: ${call} }\n${jobs(...lines.map(line => line.replace(/ \}$/, `, ${steps} }`)))}`

/** Pushes these workflow files and returns the commit. */
async function push(files: Record<string, string>): Promise<string> {
  const named = Object.entries(files).map(([name, text]) => [`.gitea/workflows/${name}`, text])
  const commit = await commitFiles(local, Object.fromEntries(named))
  await gitOk(['push', '-q', addressOf(site, repository, ada), 'main'], { cwd: local })
  return commit
}

const open = () => openCalls(jobContext(site.services, 'test'))

async function start(lines: string[], sha: string, rest: Record<string, unknown> = {}): Promise<number> {
  const run = await test.start(`name: Caller\non: push\n${jobs(...lines)}`, { sha, ...rest })
  await open()
  return run
}

const payloadOf = (task: Task): string => Buffer.from(task.workflowPayload ?? []).toString()

describe('a job that calls a reusable workflow', () => {
  const library = callable(
    `{ inputs: { flag: { type: boolean }, n: { type: number, required: true }, s: { type: string, default: "\${{ github.actor }}" } }, secrets: { T: { required: true } }, outputs: { url: { value: "\${{ jobs.two.outputs.url }}-\${{ jobs.one.result }}" } } }`,
    'one: { runs-on: x, if: inputs.flag }',
    `two: { runs-on: x, needs: one, name: "Two of \${{ inputs.n }} for \${{ inputs.s }}" }`,
  )

  it('runs its jobs with the inputs and secrets of the call, and gets its outputs', async () => {
    const sha = await push({ 'b.yml': library })
    await call(site, 'PUT', `${test.path}/secrets/K`, { as: ada, body: { data: 'kkk' } })
    await call(site, 'PUT', `${test.path}/secrets/OTHER`, { as: ada, body: { data: 'ooo' } })
    const run = await start(
      [
        `call: { uses: ./.gitea/workflows/b.yml, with: { flag: true, n: 3 }, secrets: { T: "\${{ secrets.K }}" } }`,
        `last: { needs: call, runs-on: x, ${steps} }`,
      ],
      sha,
    )
    expect(await test.jobs(run)).toEqual([
      'last: waiting',
      'call / one: queued',
      `call / Two of 3 for ${ada.name}: waiting`,
    ])
    const first = await test.run('call / one')
    expect(first.secrets).toMatchObject({ T: 'kkk' })
    expect(Object.keys(first.secrets).sort()).toEqual(['GITEA_TOKEN', 'GITHUB_TOKEN', 'T'])
    expect(payloadOf(first)).toMatch(/^name: "?Caller/m)
    const second = await test.run(`call / Two of 3 for ${ada.name}`, { url: 'u' })
    expect(second.needs.one?.result).toBe(Result.SUCCESS)
    expect((await test.run('last')).needs.call).toMatchObject({
      result: Result.SUCCESS,
      outputs: { url: 'u-success' },
    })
    expect(await test.outcome(run)).toBe('success')
  })

  it('also calls a workflow that is disabled, as on GitHub', async () => {
    const sha = await push({ 'b.yml': callable('', 'one: { runs-on: x }') })
    const disabled = await call(site, 'PUT', `${test.path}/workflows/b.yml/disable`, { as: ada })
    expect(disabled.status).toBe(204)
    const run = await start(['call: { uses: ./.gitea/workflows/b.yml }'], sha)
    expect(await test.jobs(run)).toEqual(['call / one: queued'])
  })

  it('fails without quoting the secret if an expression that passes a secret fails, and the runner goes on', async () => {
    const sha = await push({ 'b.yml': callable('{ secrets: { T: {} } }', 'one: { runs-on: x }') })
    await call(site, 'PUT', `${test.path}/secrets/K`, { as: ada, body: { data: 'hid{den' } })
    const run = await start(
      [`call: { uses: ./.gitea/workflows/b.yml, secrets: { T: "\${{ format(secrets.K) }}" } }`],
      sha,
    )
    const next = await test.start(`on: push\n${jobs(`next: { runs-on: x, ${steps} }`)}`)
    // On a busy machine, the server needs more time than a request has.
    await vi.waitFor(
      async () => {
        if ((await test.outcome(run)) === 'failure') return
        expect(await test.isIdle(test.runner)).toBe(true)
        expect(await test.outcome(run)).toBe('failure')
      },
      { timeout: 10_000, interval: 200 },
    )
    await test.run('next')
    expect(await test.outcome(next)).toBe('success')
    expect(await test.jobs(run)).toEqual(['call / one: failure'])
    expect((await test.details(run))[0]?.message).toBe(
      "line 4, column 58: The expression for the secret 'T' of a call fails.",
    )
  })

  it('sends inputs to the runner as texts, in the event', async () => {
    const document = callable(
      '{ inputs: { flag: { type: boolean } } }',
      `one: { runs-on: x, env: { F: "\${{ inputs.flag }}" } }`,
    )
    const sha = await push({ 'b.yml': document })
    const lines = ['call: { uses: ./.gitea/workflows/b.yml, with: { flag: true } }']
    await start(lines, sha, { event: 'push' })
    const { event_name, event } = (await test.run('call / one')).context as Record<string, unknown>
    expect([event_name, event]).toEqual(['workflow_call', { inputs: { flag: 'true' } }])
    await start(lines, sha, { event: 'workflow_dispatch' })
    const dispatched = await test.run('call / one')
    expect((dispatched.context as Record<string, unknown>).event_name).toBe('workflow_dispatch')
    expect(payloadOf(dispatched)).toMatch(/workflow_dispatch:\s+inputs:/)
  })

  it.each([
    [
      'an unknown input',
      '{ uses: ./.gitea/workflows/b.yml, with: { n: 1, m: 2 }, secrets: inherit }',
      "has no input 'm'",
    ],
    [
      'an input of the wrong type',
      '{ uses: ./.gitea/workflows/b.yml, with: { n: 1, flag: "yes" }, secrets: inherit }',
      "'flag' of the reusable workflow must be a boolean",
    ],
    ['no required input', '{ uses: ./.gitea/workflows/b.yml, secrets: inherit }', "requires the input 'n'"],
    [
      'several mistakes',
      "{ uses: ./.gitea/workflows/b.yml, with: { m: 1, flag: 'x' } }",
      "has no input 'm'.\nThe input 'flag' of the reusable workflow must be a boolean. Use fromJSON to convert text.\nThe reusable workflow requires the input 'n'.\nThe reusable workflow requires the secret 'T'.",
    ],
    ['no required secret', '{ uses: ./.gitea/workflows/b.yml, with: { n: 1 } }', "requires the secret 'T'"],
    [
      'an unknown secret',
      '{ uses: ./.gitea/workflows/b.yml, with: { n: 1 }, secrets: { T: a, U: b } }',
      "has no secret 'U'",
    ],
    [
      'a file that does not exist',
      '{ uses: ./.gitea/workflows/c.yml }',
      'There is no workflow .gitea/workflows/c.yml',
    ],
    ['a file elsewhere', '{ uses: ./c.yml }', 'names no reusable workflow'],
    ['a path out of the folder', '{ uses: ./.gitea/workflows/../x.yml }', 'names no reusable workflow'],
    [
      'a workflow that is not reusable',
      '{ uses: ./.gitea/workflows/plain.yml }',
      'does not have a "workflow_call" trigger',
    ],
    [
      'an invalid workflow',
      '{ uses: ./.gitea/workflows/broken.yml }',
      '.gitea/workflows/broken.yml: line 2, column 1',
    ],
    ['another site', '{ uses: "https://example.com/a/b/.gitea/workflows/b.yml@main" }', 'is on another site'],
    [
      'a repository that does not exist',
      '{ uses: nobody/nothing/.gitea/workflows/b.yml@main }',
      'There is no repository nobody/nothing',
    ],
    [
      'a ref that does not exist',
      '{ uses: OWN/.gitea/workflows/b.yml@none }',
      'There is no commit, tag or branch none',
    ],
    ['a workflow that calls itself', '{ uses: ./.gitea/workflows/loop.yml }', 'calls itself'],
  ])('fails with %s, while other jobs go on', async (_, job, message) => {
    const sha = await push({
      'b.yml': library,
      'plain.yml': `on: push\n${jobs(`a: { runs-on: x, ${steps} }`)}`,
      'broken.yml': 'on: push\nfoo',
      'loop.yml': `on: workflow_call\n${jobs('again: { uses: ./.gitea/workflows/loop.yml }')}`,
    })
    const own = repository.path.slice(1)
    const run = await start(
      [
        `call: ${job.replace('OWN', own)}`,
        `other: { runs-on: x, ${steps} }`,
        `after: { needs: call, if: failure(), runs-on: x, ${steps} }`,
      ],
      sha,
    )
    await open()
    const details = await test.details(run)
    const failed = details.find(({ conclusion }) => conclusion === 'failure')
    expect(failed?.message).toContain(message)
    expect(await test.jobs(run)).toEqual(expect.arrayContaining(['other: queued', 'after: queued']))
  })

  it('can call workflows of the same and of public repositories by name and ref', async () => {
    const sha = await push({ 'b.yml': callable('', 'one: { runs-on: x }') })
    await gitOk(['push', '-q', addressOf(site, repository, ada), 'main:refs/tags/v1'], { cwd: local })
    const own = repository.path.slice(1)
    const other = await createTestWorkflows(site)
    for (const ref of ['main', 'v1', sha]) {
      const run = await start([`call: { uses: ${own}/.gitea/workflows/b.yml@${ref} }`], sha)
      expect(await test.jobs(run)).toEqual(['call / one: queued'])
      const elsewhere = await other.start(
        `on: push\n${jobs(`call: { uses: ${own}/.gitea/workflows/b.yml@${ref} }`)}`,
      )
      await open()
      expect(await other.jobs(elsewhere)).toEqual(['call / one: queued'])
    }
  })

  it('passes everything on through several levels, in order of the calls', async () => {
    const sha = await push({
      'b.yml': `on: { workflow_call: { inputs: { a: { type: string } }, outputs: { o: { value: "\${{ jobs.deep.outputs.o }}" } } } }\n${jobs(
        `deep: { uses: ./.gitea/workflows/c.yml, with: { b: "\${{ inputs.a }}!" }, secrets: inherit }`,
      )}`,
      'c.yml': callable(
        `{ inputs: { b: { type: string } }, outputs: { o: { value: "\${{ jobs.one.outputs.o }}" } } }`,
        `one: { name: "\${{ inputs.b }}", runs-on: x, strategy: { matrix: { n: [1, 2] } } }`,
      ),
    })
    await call(site, 'PUT', `${test.path}/secrets/K`, { as: ada, body: { data: 'kkk' } })
    const run = await start(
      [
        'call: { uses: ./.gitea/workflows/b.yml, with: { a: hi }, secrets: inherit }',
        `last: { needs: call, runs-on: x, if: needs.call.outputs.o == 'v', ${steps} }`,
      ],
      sha,
    )
    await open()
    expect(await test.jobs(run)).toEqual([
      'last: waiting',
      'call / deep / hi!: queued',
      'call / deep / hi!: queued',
    ])
    expect((await test.run('call / deep / hi!', { o: 'v' })).secrets.K).toBe('kkk')
    await test.run('call / deep / hi!')
    await test.run('last')
    expect(await test.outcome(run)).toBe('success')
  })

  it('is skipped or fails like any other job, and waits for what it needs', async () => {
    const sha = await push({
      'b.yml': callable(
        '{ inputs: { v: { type: string } } }',
        `one: { runs-on: x, name: "one \${{ inputs.v }}" }`,
      ),
    })
    const run = await start(
      [
        `p: { runs-on: x, ${steps} }`,
        'off: { uses: ./.gitea/workflows/b.yml, if: false }',
        `call: { needs: p, uses: ./.gitea/workflows/b.yml, strategy: { matrix: { v: "\${{ fromJSON(needs.p.outputs.v) }}" } }, with: { v: "\${{ matrix.v }}" } }`,
        `last: { needs: call, if: needs.call.result == 'failure' && !cancelled(), runs-on: x, ${steps} }`,
      ],
      sha,
    )
    expect(await test.jobs(run)).toEqual(['p: queued', 'off: skipped', 'call: waiting', 'last: waiting'])
    await test.run('p', { v: '["a", "b"]' })
    await open()
    expect((await test.jobs(run)).slice(2)).toEqual([
      'last: waiting',
      'call (a) / one a: queued',
      'call (b) / one b: queued',
    ])
    await test.run('call (a) / one a', {}, Result.FAILURE)
    // Like the jobs of other matrices, the other call ends after a failure.
    expect((await test.jobs(run)).slice(2)).toEqual([
      'last: queued',
      'call (a) / one a: failure',
      'call (b) / one b: cancelled',
    ])
  })

  it('runs again as a whole with the newest version, or in part with the same one', async () => {
    const version = (name: string) =>
      callable('', `${name}: { runs-on: x }`, `b: { runs-on: x, needs: ${name} }`)
    await push({ 'b.yml': version('old') })
    const own = repository.path.slice(1)
    const run = await start(
      [`call: { uses: ${own}/.gitea/workflows/b.yml@main }`, `last: { needs: call, runs-on: x, ${steps} }`],
      '',
    )
    await test.run('call / old')
    await test.run('call / b', {}, Result.FAILURE)
    expect(await test.jobs(run)).toEqual(['last: skipped', 'call / old: success', 'call / b: failure'])
    await push({ 'b.yml': version('new') })
    await call(site, 'POST', `${test.path}/runs/${run}/rerun-failed-jobs`, { as: ada })
    await open()
    expect(await test.jobs(run)).toEqual(['last: waiting', 'call / old: success', 'call / b: queued'])
    await test.run('call / b')
    await test.run('last')
    expect(await test.outcome(run)).toBe('success')
    await call(site, 'POST', `${test.path}/runs/${run}/rerun`, { as: ada })
    await open()
    expect(await test.jobs(run)).toEqual(['last: waiting', 'call / new: queued', 'call / b: waiting'])
  })

  it('that gets outputs of other jobs calls the same version when only some jobs run again', async () => {
    const version = (name: string) =>
      callable('{ inputs: { v: { type: string } } }', `one: { runs-on: x, name: "${name} \${{ inputs.v }}" }`)
    await push({ 'b.yml': version('old') })
    const own = repository.path.slice(1)
    const run = await start(
      [
        `p: { runs-on: x, ${steps} }`,
        `call: { needs: p, uses: ${own}/.gitea/workflows/b.yml@main, with: { v: "\${{ needs.p.outputs.v }}" } }`,
      ],
      '',
    )
    await test.run('p', { v: '1' })
    await open()
    await test.run('call / old 1', {}, Result.FAILURE)
    await push({ 'b.yml': version('new') })
    const [p] = await test.details(run)
    await call(site, 'POST', `${test.path}/runs/${run}/jobs/${p?.id}/rerun`, { as: ada })
    await test.run('p', { v: '2' })
    await open()
    expect(await test.jobs(run)).toEqual(['p: success', 'call / old 2: queued'])
  })

  it('reads the variables of the calling repository, even if only the called workflow does', async () => {
    await call(site, 'POST', `${test.path}/variables/LABEL`, { as: ada, body: { value: 'x' } })
    await push({
      'a.yml': `on: push\n${jobs('call: { uses: ./.gitea/workflows/b.yml }')}`,
      'b.yml': callable('', `one: { runs-on: "\${{ vars.LABEL }}" }`),
    })
    await startWaiting(site)
    await open()
    await test.run('call / one')
  })

  it('fails after an hour if its workflow cannot be read, with longer and longer pauses in between', async () => {
    const sha = await push({ 'b.yml': callable('', 'one: { runs-on: x }') })
    await rename(repository.directory, `${repository.directory}.away`)
    forgetObjects(repository.directory)
    const pauses = []
    const ctx = { ...jobContext(site.services, 'test'), log: keptLog().log }
    const openAt = (ms: number) => openCalls({ ...ctx, clock: { now: () => new Date(ms) } })
    const run = await test.start(`on: push\n${jobs('call: { uses: ./.gitea/workflows/b.yml }')}`, { sha })
    const waiting = site.db.selectFrom('workflow_jobs').select('call').where('run_id', '=', run)
    let now = Date.now()
    for (;;) {
      expect(await openAt(now)).toBe(1)
      if ((await test.outcome(run)) !== 'waiting') break
      const next = Date.parse((await waiting.executeTakeFirstOrThrow()).call?.retryAt ?? '')
      expect(await openAt(next - 1)).toBe(0)
      pauses.push((next - now) / 1000)
      now = next
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600])
    expect((await test.details(run))[0]?.message).toBe(
      'The reusable workflow could not be read because of an unexpected error on the server.',
    )
    await rename(`${repository.directory}.away`, repository.directory)
  })

  it('does not start jobs that it loses to a job with cancel-in-progress', async () => {
    const sha = await push({
      'b.yml': callable(
        '',
        'one: { runs-on: y }',
        'two: { runs-on: y, needs: one, if: always(), concurrency: h }',
      ),
    })
    const run = await start(
      [
        `p: { runs-on: y, ${steps} }`,
        `a: { needs: p, if: always(), runs-on: y, concurrency: { group: g, cancel-in-progress: true }, ${steps} }`,
        'call: { uses: ./.gitea/workflows/b.yml, if: always(), concurrency: g }',
      ],
      sha,
    )
    expect((await call(site, 'POST', `${test.path}/runs/${run}/cancel`, { as: ada })).status).toBe(204)
    expect(await test.jobs(run)).toEqual([
      'p: cancelled',
      'a: queued',
      'call / one: cancelled',
      'call / two: cancelled',
    ])
  })

  it('ends with its jobs when the run is canceled', async () => {
    const sha = await push({
      'b.yml': callable('', 'one: { runs-on: x }', 'two: { runs-on: x, if: always(), needs: one }'),
    })
    const run = await start(
      ['call: { uses: ./.gitea/workflows/b.yml }', `last: { needs: call, runs-on: x, ${steps} }`],
      sha,
    )
    await call(site, 'POST', `${test.path}/runs/${run}/cancel`, { as: ada })
    expect(await test.jobs(run)).toEqual(['last: cancelled', 'call / one: cancelled', 'call / two: queued'])
    await test.run('call / two')
    expect(await test.outcome(run)).toBe('cancelled')
  })

  it('has the concurrency groups of the workflow that it calls, and fails if its run has one of them', async () => {
    const sha = await push({
      'b.yml': `concurrency: lib\n${callable('', 'one: { runs-on: x }')}`,
      'self.yml': `concurrency: \${{ github.workflow }}\n${callable('', 'one: { runs-on: x }')}`,
    })
    const [first, second] = [
      await start(['call: { uses: ./.gitea/workflows/b.yml }'], sha),
      await start(['call: { uses: ./.gitea/workflows/b.yml }'], sha),
    ]
    expect([await test.jobs(first), await test.jobs(second)]).toEqual([
      ['call / one: queued'],
      ['call: waiting'],
    ])
    await test.run('call / one')
    await open()
    expect([await test.outcome(first), await test.jobs(second)]).toEqual(['success', ['call / one: queued']])
    const run = await test.start(
      `name: Caller\non: push\nconcurrency: \${{ github.workflow }}\n${jobs('call: { uses: ./.gitea/workflows/self.yml }')}`,
      { sha },
    )
    await open()
    expect(await test.jobs(run)).toEqual(['call: failure'])
    expect((await test.details(run))[0]?.message).toMatch(/deadlock/)
  })

  it('fails if it has the concurrency group of the workflow that it calls', async () => {
    const sha = await push({ 'b.yml': `concurrency: Lib\n${callable('', 'one: { runs-on: x }')}` })
    const run = await start(['call: { uses: ./.gitea/workflows/b.yml, concurrency: lib }'], sha)
    expect(await test.jobs(run)).toEqual(['call: failure'])
    expect((await test.details(run))[0]?.message).toMatch(/deadlock.*Lib/)
  })

  it.each(['own', 'lib', 'inner'])(
    'asks for the group %s again when only some of its jobs run again',
    async group => {
      const sha = await push({
        'b.yml': `concurrency: lib\n${callable('', 'one: { runs-on: x }', 'two: { runs-on: x }')}`,
        'a.yml': callable('', 'deep: { uses: ./.gitea/workflows/b.yml, concurrency: inner }').replace(
          `, ${steps}`,
          '',
        ),
      })
      const run = await start(['call: { uses: ./.gitea/workflows/a.yml, concurrency: own }'], sha)
      await open()
      await test.run('call / deep / one')
      await test.run('call / deep / two', {}, Result.FAILURE)
      const runner = await test.addRunner(['y'])
      const other = await start([`a: { runs-on: y, concurrency: ${group}, ${steps} }`], sha)
      await call(site, 'POST', `${test.path}/runs/${run}/rerun-failed-jobs`, { as: ada })
      expect(await test.jobs(run)).toEqual(['call / deep / one: success', 'call / deep / two: waiting'])
      const id = (await test.details(run)).find(({ name }) => name === 'call / deep / two')?.id
      const { body } = await call(site, 'GET', `${test.path}/jobs/${id}/waiting`, { as: ada })
      expect(body.summary).toBe(`The concurrency group ${group} is in use by a of run #2.`)
      await (await test.take('a', runner)).finish({})
      expect(await test.outcome(other)).toBe('success')
      await test.run('call / deep / two')
      expect(await test.outcome(run)).toBe('success')
    },
  )

  it('ends with its jobs if it is replaced while it waits for a group before only some of them run again', async () => {
    const sha = await push({
      'b.yml': callable('', 'one: { runs-on: x }', 'two: { runs-on: x, needs: one }'),
    })
    const run = await start(['call: { uses: ./.gitea/workflows/b.yml, concurrency: g }'], sha)
    await test.run('call / one', {}, Result.FAILURE)
    await start([`a: { runs-on: y, concurrency: g, ${steps} }`], sha)
    await call(site, 'POST', `${test.path}/runs/${run}/rerun-failed-jobs`, { as: ada })
    await start([`b: { runs-on: y, concurrency: g, ${steps} }`], sha)
    expect(await test.jobs(run)).toEqual(['call / one: cancelled', 'call / two: cancelled'])
    expect(await test.outcome(run)).toBe('cancelled')
  })

  it('can nest at most ten workflows', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 11 }, (_, n) => [
        `l${n}.yml`,
        `on: workflow_call\n${jobs(`n: { uses: ./.gitea/workflows/l${n + 1}.yml }`)}`,
      ]),
    )
    const run = await start(['call: { uses: ./.gitea/workflows/l0.yml }'], await push(files))
    for (let level = 0; level < 12; level++) await open()
    const [job, ...others] = await test.details(run)
    expect(others).toEqual([])
    expect(job?.message).toMatch(/At most 10 workflows can call each other/)
    expect(await test.outcome(run)).toBe('failure')
  })

  it('of a private repository runs only in private repositories of its owner, if it shares its workflows', async () => {
    await push({ 'b.yml': callable('', 'one: { runs-on: x }') })
    const own = repository.path.slice(1)
    const hide = (path: string) => call(site, 'PATCH', path, { as: ada, body: { private: true } })
    await hide(`/repos/${own}`)
    const other = await createTestWorkflows(site, ada)
    const asking = async () => {
      const run = await other.start(`on: push\n${jobs(`call: { uses: ${own}/.gitea/workflows/b.yml@main }`)}`)
      await open()
      const [job] = await other.details(run)
      await call(site, 'POST', `${other.path}/runs/${run}/cancel`, { as: ada })
      return [job?.name, job?.message ?? job?.status]
    }
    expect(await asking()).toEqual(['call', expect.stringContaining('does not share its workflows')])
    await hide(other.path.replace(/\/actions$/, ''))
    expect(await asking()).toEqual(['call', expect.stringContaining('can set access_level')])
    const access = `/repos/${own}/actions/permissions/access`
    expect((await call(site, 'PUT', access, { as: ada, body: { access_level: 'user' } })).status).toBe(204)
    expect(await asking()).toEqual(['call / one', 'queued'])
    const stranger = await createTestWorkflows(site)
    const run = await stranger.start(
      `on: push\n${jobs(`call: { uses: ${own}/.gitea/workflows/b.yml@main }`)}`,
    )
    await open()
    expect((await stranger.details(run))[0]?.message).toContain(`There is no repository ${own}`)
    await call(site, 'PUT', access, { as: ada, body: { access_level: 'none' } })
    const refused = (await asking())[1]
    await call(site, 'DELETE', `/repos/${own}`, { as: ada })
    // Whoever pushes to one repository of an organization may not see the others.
    expect((await asking())[1]).toBe(refused)
  })

  it('can read variables that only the workflow that it calls names', async () => {
    await push({
      'b.yml': callable('', `one: { runs-on: x, name: "\${{ vars.PLACE }}" }`),
      'c.yml': `on: workflow_dispatch\n${jobs('call: { uses: ./.gitea/workflows/b.yml }')}`,
    })
    await call(site, 'POST', `${test.path}/variables/PLACE`, { as: ada, body: { value: 'Delft' } })
    const dispatch = `${test.path}/workflows/c.yml/dispatches?return_run_details=true`
    const { body } = await call(site, 'POST', dispatch, { as: ada, body: { ref: 'main' } })
    await open()
    expect(await test.jobs(body.workflow_run_id)).toEqual(['call / Delft: queued'])
  })

  it('can have any characters in its expressions', async () => {
    const sha = await push({
      'b.yml': callable(
        `{ outputs: { o: { value: "\${{ format('\\0\\uD800{0}', jobs.one.result) }}" } } }`,
        'one: { runs-on: x }',
        `two: { needs: one, runs-on: x, name: "\${{ format('\\0\\uD800{0}', needs.one.result) }}" }`,
      ),
    })
    const run = await start(['call: { uses: ./.gitea/workflows/b.yml }'], sha)
    await test.run('call / one')
    expect(await test.jobs(run)).toEqual(['call / one: success', 'call / \ufffdsuccess: queued'])
  })

  it('fails with a message of at most 1,000 characters, however long the call is', async () => {
    const run = await start([`call: { uses: ./${'x'.repeat(20_000)} }`], await push({}))
    const [job] = await test.details(run)
    expect(String(job?.message)).toMatch(/^line 4, column 17: '\.\/x{900}/)
    expect(String(job?.message)).toHaveLength(1000)
  })

  it('fails if the file is too large, of which only the beginning is read, or is a folder', async () => {
    const valid = callable('', 'one: { runs-on: x }')
    const sha = await push({ 'large.yml': `${valid}#${'x'.repeat(600 * 1024)}`, 'folder.yml/a': 'a' })
    const names = ['large', 'folder']
    const run = await start(
      names.map(name => `${name}: { uses: ./.gitea/workflows/${name}.yml }`),
      sha,
    )
    expect((await test.details(run)).map(({ message }) => message)).toEqual([
      expect.stringContaining('has more than 512 KiB'),
      expect.stringContaining('There is no workflow .gitea/workflows/folder.yml'),
    ])
  })

  it('calls no further workflow of a repository that has stopped sharing its workflows', async () => {
    await push({
      'b.yml': `on: workflow_call\n${jobs(`first: { runs-on: x, ${steps} }`, 'next: { needs: first, uses: ./.gitea/workflows/c.yml }')}`,
      'c.yml': callable('', 'one: { runs-on: x }'),
    })
    const other = await createTestWorkflows(site, ada)
    const source = repository.path.slice(1)
    const run = await other.start(
      `on: push\n${jobs(`call: { uses: ${source}/.gitea/workflows/b.yml@main }`)}`,
    )
    await open()
    await call(site, 'PATCH', `/repos/${source}`, { as: ada, body: { private: true } })
    await other.run('call / first')
    await open()
    expect(await other.jobs(run)).toEqual(['call / first: success', 'call / next: failure'])
    expect((await other.details(run))[1]?.message).toMatch(/does not share its workflows/)
  })

  it('gets no more permissions than the job that calls it', async () => {
    const sha = await push({
      'b.yml': `permissions: write-all\n${callable('', 'one: { runs-on: x }', 'two: { runs-on: x, permissions: { contents: read } }')}`,
    })
    const run = await start(
      [
        'call: { uses: ./.gitea/workflows/b.yml, permissions: { contents: write } }',
        'less: { uses: ./.gitea/workflows/b.yml, permissions: { contents: read } }',
      ],
      sha,
    )
    const shown = (await test.details(run)).map(({ name, permissions }) => [
      name,
      (permissions as { contents?: string }).contents,
    ])
    expect(shown).toEqual([
      ['call / one', 'write'],
      ['call / two', 'read'],
      ['less / one', 'read'],
      ['less / two', 'read'],
    ])
  })

  it('fails if it passes on more than 65,535 characters', async () => {
    const sha = await push({
      'b.yml': callable('{ inputs: { v: { type: string } } }', 'one: { runs-on: x }'),
    })
    const run = await start(
      [
        `p: { runs-on: x, ${steps} }`,
        `call: { needs: p, uses: ./.gitea/workflows/b.yml, with: { v: "\${{ needs.p.outputs.v }}" } }`,
      ],
      sha,
    )
    await test.run('p', { v: 'x'.repeat(66_000) })
    expect((await test.details(run))[1]).toMatchObject({
      conclusion: 'failure',
      message: expect.stringContaining('at most 65,535 characters'),
    })
  })
})
