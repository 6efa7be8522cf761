import { beforeEach, describe, expect, it } from 'vitest'
import { Result } from '@/proto/gen/runner/v1/runner_pb'
import { call } from '@/testing/call'
import { useSite } from '@/testing/site'
import { createTestWorkflows, type TestWorkflows } from '@/testing/workflow-runs'

const site = useSite()
let test: TestWorkflows

beforeEach(async () => {
  test = await createTestWorkflows(site)
})

const steps = 'steps: [{ run: make }]'
/** Returns a workflow with these jobs, one per line, each without its steps. */
const workflow = (...jobs: string[]): string =>
  `on: push\njobs:\n${jobs.map(job => `  ${job.replace(/ \}$/, `, ${steps} }`)}`).join('\n')}\n`

describe('the labels of a job', () => {
  const needing = (label: string) =>
    workflow(
      `pick: { runs-on: x, outputs: { label: "\${{ steps.a.outputs.b }}" } }`,
      `use: { needs: pick, runs-on: ${label} }`,
    )
  const shared = `[shared, "\${{ needs.pick.outputs.label }}"]`

  it('come from outputs once the jobs that it needs have completed', async () => {
    const run = await test.start(needing(shared))
    expect((await test.details(run))[1]).toMatchObject({ status: 'waiting', labels: [] })
    await test.run('pick', { label: 'Box-7' })
    expect((await test.details(run))[1]).toMatchObject({ status: 'queued', labels: ['shared', 'Box-7'] })
    expect(await test.isIdle(await test.addRunner(['shared']))).toBe(true)
    const box = await test.addRunner(['shared', 'box-7'])
    await (await test.take('use', box)).finish()
    expect(await test.outcome(run)).toBe('success')
  })

  it('are shown once they are known, also without those of a job that was skipped before', async () => {
    const group = `{ group: "\${{ needs.pick.outputs.label }}", labels: [shared] }`
    const run = await test.start(
      `${needing(shared)}  in-group: { needs: pick, runs-on: ${group}, ${steps} }\n` +
        `  known: { needs: pick, name: "\${{ needs.pick.result }}", runs-on: "\${{ github.ref_name }}-box", ${steps} }\n`,
    )
    const labels = async () => (await test.details(run)).map(job => job.labels)
    expect(await labels()).toEqual([['x'], [], ['shared'], ['main-box']])
    await test.run('pick', {}, Result.FAILURE)
    expect(await test.jobs(run)).toContain('use: skipped')
    expect(await labels()).toEqual([['x'], [], ['shared'], ['main-box']])
  })

  it.each([
    ['an output that is empty', shared, ''],
    ['an output that is not set', shared, undefined],
    ['a list that is empty', `"\${{ fromJSON(needs.pick.outputs.label) }}"`, '[]'],
    ['a list with an empty entry', `"\${{ fromJSON(needs.pick.outputs.label) }}"`, '["shared", ""]'],
    ['a group that is empty', `{ group: "\${{ needs.pick.outputs.label }}", labels: shared }`, ''],
  ])('let the job fail, naming the expression, if they come from %s', async (_, label, output) => {
    const sharing = await test.addRunner(['shared'])
    const run = await test.start(needing(label))
    await test.run('pick', output === undefined ? {} : { label: output })
    expect(await test.jobs(run)).toEqual(['pick: success', 'use: failure'])
    expect((await test.details(run))[1]?.message).toMatch(
      /^line 4, column \d+: .*needs\.pick\.outputs\.label/,
    )
    expect(await test.outcome(run)).toBe('failure')
    expect(await test.isIdle(sharing)).toBe(true)
  })

  it('can come from a variable in a run that a program creates', async () => {
    await call(site, 'POST', `${test.path}/variables/POOL`, { as: test.ada, body: { value: 'x' } })
    const run = await test.start(
      workflow(`a: { runs-on: "\${{ vars.POOL }}", name: "For \${{ vars.POOL }}" }`),
    )
    await test.run('For x')
    expect(await test.outcome(run)).toBe('success')
  })

  it('can come from an expression that has line breaks', async () => {
    const start = `      runs-on: |-\n        \${{ format('{0}',`
    const run = await test.start(
      `${workflow('pick: { runs-on: x }')}  use:\n      needs: pick\n      ${steps}\n${start}\n        needs.pick.outputs.label) }}\n`,
    )
    await test.run('pick', { label: 'box-7' })
    expect((await test.details(run))[1]).toMatchObject({ status: 'queued', labels: ['box-7'] })
  })

  it('can be a list, or a mapping with a group, that an expression returns', async () => {
    const run = await test.start(needing(`"\${{ fromJSON(needs.pick.outputs.label) }}"`))
    await test.run('pick', { label: '["a", "b"]' })
    expect((await test.details(run))[1]).toMatchObject({ status: 'queued', labels: ['a', 'b'] })
    const grouped = await test.start(needing(`"\${{ fromJSON(needs.pick.outputs.label) }}"`))
    await test.run('pick', { label: '{ "group": "big", "labels": "x" }' })
    const job = (await test.details(grouped))[1]
    expect(job).toMatchObject({ status: 'queued', labels: ['x'] })
    expect(await test.isIdle(test.runner)).toBe(true)
  })

  it('do not replace a group, for which the job waits', async () => {
    const run = await test.start(workflow('a: { runs-on: { group: prod, labels: x } }'))
    const prod = await test.addRunner(['prod'])
    expect(await test.isIdle(test.runner)).toBe(true)
    expect(await test.isIdle(prod)).toBe(true)
    const [job] = await test.details(run)
    const { body } = await call(site, 'GET', `${test.path}/jobs/${job?.id}/waiting`, { as: test.ada })
    expect(body).toMatchObject({
      reason: 'runner_group',
      summary: 'No runner is in the group prod. Runner groups are not supported.',
    })
  })

  it.each([
    ['an unset variable', `"\${{ vars.POOL }}"`],
    ['a misspelt key of the matrix', `"\${{ matrix.oss }}"`],
    ['an empty text', "''"],
  ])('refuse the run if they come from %s', async (_, label) => {
    const refused = test.start(workflow(`a: { runs-on: ${label}, strategy: { matrix: { os: [x] } } }`))
    await expect(refused).rejects.toThrow(/^422: .*line 3, column/)
  })

  it('can read the context strategy, as names can', async () => {
    const run = await test.start(
      workflow(
        `a: { name: "\${{ strategy.job-index }} of \${{ strategy.job-total }}", runs-on: "box-\${{ strategy.job-index }}", strategy: { matrix: { n: [5, 6] } } }`,
      ),
    )
    expect((await test.details(run)).map(({ name, labels }) => [name, labels])).toEqual([
      ['0 of 2', ['box-0']],
      ['1 of 2', ['box-1']],
    ])
  })
})

describe('a condition', () => {
  const needing = (condition: string) =>
    workflow(
      'a: { runs-on: x }',
      `b: { needs: a, runs-on: x, if: "${condition}" }`,
      'c: { needs: b, runs-on: x, if: failure() }',
    )

  it.each([
    ['fromJSON(needs.a.outputs.j).go'],
    ["fromJSON(needs.a.outputs.j) == 'x'"],
    ['always() && fromJSON(needs.a.outputs.j)'],
  ])('that cannot be evaluated lets its job fail, with the reason everywhere: %s', async condition => {
    const run = await test.start(needing(condition))
    await test.run('a', { j: '' })
    expect(await test.jobs(run)).toEqual(['a: success', 'b: failure', 'c: queued'])
    const [, job] = await test.details(run)
    expect(job?.message).toMatch(/^Error when evaluating 'if' for job 'b': (empty input|Error parsing JSON)/)
    const log = await call(site, 'GET', `${test.path}/jobs/${job?.id}/logs`, { as: test.ada })
    expect(log.text).toMatch(/^\d{4}-\S+ Error when evaluating 'if' for job 'b': .+\n$/)
    await test.run('c')
    expect(await test.outcome(run)).toBe('failure')
  })

  it('does not evaluate what cannot change its result', async () => {
    const run = await test.start(needing("needs.a.outputs.j == '' || fromJSON(needs.a.outputs.j)"))
    await test.run('a', { j: '' })
    expect(await test.jobs(run)).toEqual(['a: success', 'b: queued', 'c: waiting'])
  })

  it('that is false is given as the reason why its job was skipped', async () => {
    const run = await test.start(needing("needs.a.outputs.j == 'x'"))
    await test.run('a', { j: 'y' })
    const [, b, c] = await test.details(run)
    expect(b).toMatchObject({
      conclusion: 'skipped',
      message: "The condition `needs.a.outputs.j == 'x'` was false.",
    })
    expect(c).toMatchObject({ conclusion: 'skipped', message: 'The condition `failure()` was false.' })
  })

  it('can read the number, ID and attempt of the run, and the file of the workflow', async () => {
    const document = workflow(
      'a: { runs-on: x, if: github.run_attempt == 1 }',
      'b: { runs-on: x, if: github.run_number == 1 }',
      'c: { runs-on: x, if: "github.workflow_ref != \'\' && github.run_id > 0" }',
      'd: { runs-on: x, if: "github[\'run_number\'] != 1" }',
      'e: { runs-on: x, if: "contains(toJSON(github), github.run_id)" }',
    )
    const run = await test.start(document)
    expect(await test.jobs(run)).toEqual(['a: queued', 'b: queued', 'c: queued', 'd: skipped', 'e: queued'])
    for (const name of ['a', 'b', 'c', 'e']) await test.run(name)
    await call(site, 'POST', `${test.path}/runs/${run}/rerun`, { as: test.ada })
    expect(await test.jobs(run)).toEqual(['a: skipped', 'b: queued', 'c: queued', 'd: skipped', 'e: queued'])
  })
})

describe('the run-name', () => {
  it('can have the number and ID of the run, and names of jobs can, too', async () => {
    const run = await test.start(
      `run-name: Deploy \${{ github.run_number }} (\${{ github.run_id }})\n${workflow(
        `a: { name: "Job of \${{ github.run_number }}", runs-on: x }`,
      )}`,
    )
    const { body } = await call(site, 'GET', `${test.path}/runs/${run}`, { as: test.ada })
    expect(body.display_title).toBe(`Deploy 1 (${run})`)
    expect(await test.jobs(run)).toEqual(['Job of 1: queued'])
  })

  it('that fails only when the run is stored fails the run', async () => {
    const run = await test.start(
      `run-name: "\${{ fromJSON(github.run_number).x.y || fromJSON('{') }}"\n${workflow('a: { runs-on: x }')}`,
    )
    const { body } = await call(site, 'GET', `${test.path}/runs/${run}`, { as: test.ada })
    expect(body).toMatchObject({
      conclusion: 'failure',
      error: expect.stringMatching(/^line 1, column 12: The expression/),
    })
    expect(await test.jobs(run)).toEqual([])
  })
})

describe('a matrix', () => {
  const dynamic = (rest = '') =>
    workflow(
      'p: { runs-on: x }',
      `b: { needs: p, runs-on: x, strategy: { matrix: "\${{ fromJSON(needs.p.outputs.m) }}" }${rest} }`,
      'c: { needs: b, runs-on: x }',
    )

  it('can come from an output, and jobs that need it wait for all of it', async () => {
    const run = await test.start(dynamic())
    expect(await test.jobs(run)).toEqual(['p: queued', 'b: waiting', 'c: waiting'])
    await test.run('p', { m: '{"include":[{"v":1},{"v":2}]}' })
    expect(await test.jobs(run)).toEqual(['p: success', 'b (1): queued', 'b (2): queued', 'c: waiting'])
    expect(Buffer.from((await test.run('b (1)')).workflowPayload ?? []).toString()).toContain('"v": [ 1 ]')
    expect(await test.jobs(run)).toContain('c: waiting')
    await test.run('b (2)')
    await test.run('c')
    expect(await test.outcome(run)).toBe('success')
  })

  it.each([
    ['nothing', ''],
    ['a key without values', '{"v":[]}'],
    ['a key that is no list', '{"v":1}'],
    ['a list', '[1]'],
    ['an unknown key to exclude', '{"v":[1],"exclude":[{"w":1}]}'],
    ['too much text', JSON.stringify({ v: ['x'.repeat(500_000)], w: [1, 2, 3, 4, 5] })],
    ['too many combinations', JSON.stringify({ v: Array.from({ length: 257 }, (_, n) => n) })],
  ])('that comes out as %s lets its job fail', async (_, m) => {
    const run = await test.start(dynamic())
    await test.run('p', { m })
    expect(await test.jobs(run)).toEqual(['p: success', 'b: failure', 'c: skipped'])
    expect((await test.details(run))[1]?.message).toMatch(/^line 4, column \d+: .*(matri|fromJSON|exclude)/)
    expect(await test.outcome(run)).toBe('failure')
  })

  it('that would give the run more than 1,000 jobs fails by itself, and jobs that need it go on', async () => {
    const matrix = `strategy: { matrix: "\${{ fromJSON(needs.p.outputs.m) }}" }`
    const run = await test.start(
      workflow(
        'p: { runs-on: x }',
        ...['a', 'b', 'c', 'd'].map(key => `${key}: { needs: p, runs-on: x, ${matrix} }`),
        'after: { needs: d, runs-on: x, if: failure() }',
      ),
    )
    await test.run('p', { m: JSON.stringify({ v: Array.from({ length: 256 }, (_, n) => n) }) })
    const jobs = await site.db
      .selectFrom('workflow_jobs')
      .select(['job_key', 'status', 'end_message', eb => eb.fn.countAll<number>().as('count')])
      .where('run_id', '=', run)
      .groupBy(['job_key', 'status', 'end_message'])
      .orderBy('job_key')
      .execute()
    expect(jobs.map(({ job_key, status, count }) => `${job_key} ${status} ${count}`)).toEqual([
      'a queued 256',
      'after queued 1',
      'b queued 256',
      'c queued 256',
      'd completed 1',
      'p completed 1',
    ])
    expect(jobs[4]?.end_message).toBe('The run would have more than 1000 jobs.')
  })

  it('gives its concurrency groups back when fail-fast cancels its jobs', async () => {
    const run = await test.start(
      workflow(
        `a: { runs-on: x, concurrency: "g-\${{ matrix.n }}", strategy: { matrix: { n: [1, 2] } } }`,
        'b: { runs-on: x, concurrency: g-2 }',
      ),
    )
    expect(await test.jobs(run)).toEqual(['a (1): queued', 'a (2): queued', 'b: waiting'])
    await test.run('a (1)', {}, Result.FAILURE)
    expect(await test.jobs(run)).toEqual(['a (1): failure', 'a (2): cancelled', 'b: queued'])
  })

  it('is canceled if one of its jobs fails because of an expression', async () => {
    const run = await test.start(
      workflow(
        'p: { runs-on: x }',
        `a: { needs: p, runs-on: "\${{ matrix.n == 1 && 'x' || needs.p.outputs.none }}", strategy: { matrix: { n: [1, 2] } } }`,
      ),
    )
    await test.run('p')
    expect(await test.jobs(run)).toEqual(['p: success', 'a (1): cancelled', 'a (2): failure'])
  })

  it('names its jobs in the order of its keys, also once they can start and when they are rerun', async () => {
    const matrix = '{ version: [1], os: [l], include: [{ os: l, fast: true }] }'
    const label = `"\${{ needs.p.outputs.label }}"`
    const run = await test.start(
      workflow('p: { runs-on: x }', `b: { needs: p, runs-on: ${label}, strategy: { matrix: ${matrix} } }`),
    )
    await test.run('p', { label: 'x' })
    await test.run('b (1, l)', {}, Result.FAILURE)
    await call(site, 'POST', `${test.path}/runs/${run}/rerun-failed-jobs`, { as: test.ada })
    expect(await test.jobs(run)).toEqual(['p: success', 'b (1, l): queued'])
  })

  it('is not expanded if the condition is false', async () => {
    const run = await test.start(dynamic(`, if: "needs.p.outputs.m != ''"`))
    await test.run('p', { m: '' })
    expect(await test.jobs(run)).toEqual(['p: success', 'b: skipped', 'c: skipped'])
    expect(await test.outcome(run)).toBe('success')
  })

  it('whose condition cannot be evaluated for one of its combinations lets its job fail', async () => {
    const run = await test.start(dynamic(', if: fromJSON(matrix.v)'))
    await test.run('p', { m: '{"v":["true","{"]}' })
    expect(await test.jobs(run)).toEqual(['p: success', 'b: failure', 'c: skipped'])
    expect((await test.details(run))[1]?.message).toMatch(/^Error when evaluating 'if' for job 'b': /)
  })

  it('is expanded anew by a rerun of all jobs, and kept by a rerun of some', async () => {
    const run = await test.start(dynamic())
    await test.run('p', { m: '{"v":[1,2,3]}' })
    for (const n of [1, 2]) await test.run(`b (${n})`)
    await test.run('b (3)', {}, Result.FAILURE)
    await call(site, 'POST', `${test.path}/runs/${run}/rerun-failed-jobs`, { as: test.ada })
    expect(await test.jobs(run)).toEqual([
      'p: success',
      'b (1): success',
      'b (2): success',
      'b (3): queued',
      'c: waiting',
    ])
    await test.run('b (3)')
    await test.run('c')
    await call(site, 'POST', `${test.path}/runs/${run}/rerun`, { as: test.ada })
    expect(await test.jobs(run)).toEqual(['p: queued', 'b: waiting', 'c: waiting'])
    await test.run('p', { m: '{"v":[4]}' })
    expect(await test.jobs(run)).toEqual(['p: success', 'b (4): queued', 'c: waiting'])
  })

  const four = (strategy: string, rest = '') =>
    workflow(
      `a: { runs-on: x, strategy: { ${strategy}matrix: { n: [1, 2, 3, 4] } }${rest} }`,
      'b: { needs: a, runs-on: x, if: always() }',
    )

  it('is canceled if one of its jobs fails, running jobs included', async () => {
    const run = await test.start(four(''))
    await test.run('a (1)')
    const [second, third] = [await test.take('a (2)'), await test.take('a (3)', await test.addRunner(['x']))]
    await second.finish({ result: Result.FAILURE })
    expect(await test.jobs(run)).toEqual([
      'a (1): success',
      'a (2): failure',
      'a (3): in_progress',
      'a (4): cancelled',
      'b: waiting',
    ])
    expect((await third.report()).state?.result).toBe(Result.CANCELLED)
    await third.finish({ result: Result.CANCELLED })
    expect((await test.details(run))[2]).toMatchObject({
      conclusion: 'cancelled',
      message: 'The job a (2) failed, and fail-fast is on for the matrix.',
    })
    const task = await test.run('b')
    expect(task.needs.a?.result).toBe(Result.FAILURE)
  })

  it.each([
    ['fail-fast is off', 'fail-fast: false, ', ''],
    ['the job that failed has continue-on-error', '', `, continue-on-error: "\${{ matrix.n == 2 }}"`],
  ])('goes on after a failure if %s', async (_, strategy, rest) => {
    const run = await test.start(four(strategy, rest))
    await test.run('a (1)')
    await test.run('a (2)', {}, Result.FAILURE)
    expect((await test.jobs(run)).slice(2, 4)).toEqual(['a (3): queued', 'a (4): queued'])
    for (const name of ['a (3)', 'a (4)', 'b']) await test.run(name)
    expect(await test.outcome(run)).toBe(rest ? 'success' : 'failure')
  })

  it('runs at most max-parallel jobs at a time', async () => {
    const run = await test.start(four('max-parallel: 2, '))
    expect(await test.jobs(run)).toEqual([
      'a (1): queued',
      'a (2): queued',
      'a (3): waiting',
      'a (4): waiting',
      'b: waiting',
    ])
    const [, , third] = await test.details(run)
    const { body } = await call(site, 'GET', `${test.path}/jobs/${third?.id}/waiting`, { as: test.ada })
    expect(body).toMatchObject({
      reason: 'max_parallel',
      summary: 'The matrix runs at most 2 jobs at a time because of its max-parallel.',
    })
    await test.run('a (1)')
    expect((await test.jobs(run)).slice(1, 4)).toEqual(['a (2): queued', 'a (3): queued', 'a (4): waiting'])
    for (const name of ['a (2)', 'a (3)', 'a (4)', 'b']) await test.run(name)
    expect(await test.outcome(run)).toBe('success')
  })

  it('adds up the outputs of its jobs, of which empty ones are none', async () => {
    await test.start(
      workflow(
        'a: { runs-on: x, strategy: { matrix: { n: [1, 2, 3] } } }',
        "b: { needs: a, runs-on: x, if: \"needs.a.outputs.o1 == '1' && needs.a.outputs.o3 == '3'\" }",
      ),
    )
    for (const n of [1, 2, 3]) await test.run(`a (${n})`, { o1: '', o2: '', o3: '', [`o${n}`]: String(n) })
    expect((await test.run('b')).needs.a?.outputs).toEqual({ o1: '1', o2: '2', o3: '3' })
  })

  it('from an output that exceeds the jobs of the run fails as the job that it was, and no other job does', async () => {
    const matrix = `"\${{ fromJSON(needs.p.outputs.m) }}"`
    const large = (name: string): string =>
      `${name}: { needs: p, runs-on: x, strategy: { matrix: ${matrix} } }`
    const run = await test.start(
      workflow('p: { runs-on: x }', ...['a', 'b', 'c', 'd'].map(large), 'e: { needs: p, runs-on: x }'),
    )
    await test.run('p', { m: JSON.stringify({ n: Array.from({ length: 251 }, (_, n) => n) }) })
    const failed = await site.db
      .selectFrom('workflow_jobs')
      .select(['name', 'end_message'])
      .where('run_id', '=', run)
      .where('conclusion', '=', 'failure')
      .execute()
    expect(failed).toEqual([{ name: 'd', end_message: 'The run would have more than 1000 jobs.' }])
  })
})

describe('a concurrency group', () => {
  const inGroup = (concurrency: string, rest = ''): string =>
    `concurrency: ${concurrency}\n${workflow('a: { runs-on: x }', 'last: { runs-on: x, if: always(), needs: a }')}${rest}`
  const first = ['a: queued', 'last: waiting']
  const waiting = ['a: waiting', 'last: waiting']
  const ended = ['a: cancelled', 'last: cancelled']
  const finish = async () => {
    await test.run('a')
    await test.run('last')
  }

  it('runs one run, lets one wait, and replaces the one that waits', async () => {
    const [a, b, c] = [
      await test.start(inGroup('deploy')),
      await test.start(inGroup('deploy')),
      await test.start(inGroup('deploy')),
    ]
    expect([await test.jobs(a), await test.jobs(b), await test.jobs(c)]).toEqual([first, ended, waiting])
    expect((await test.details(b)).map(({ message }) => message)).toEqual([
      'Replaced by run #3 in group deploy while it waited.',
      'Replaced by run #3 in group deploy while it waited.',
    ])
    expect([await test.outcome(b), await test.outcome(c)]).toEqual(['cancelled', 'waiting'])
    const [job] = await test.details(c)
    const { body } = await call(site, 'GET', `${test.path}/jobs/${job?.id}/waiting`, { as: test.ada })
    expect(body).toMatchObject({
      reason: 'concurrency',
      summary: 'The concurrency group deploy is in use by run #1.',
    })
    await finish()
    expect([await test.outcome(a), await test.jobs(c)]).toEqual(['success', first])
    await finish()
    expect(await test.outcome(c)).toBe('success')
    const members = site.db
      .selectFrom('concurrency_members')
      .selectAll()
      .where('repository_id', '=', test.repository.id)
    expect(await members.execute()).toEqual([])
  })

  it('is the same whatever its case and branch, but not in other repositories', async () => {
    const a = await test.start(inGroup('Prod'))
    const b = await test.start(inGroup('prod'), { ref: 'refs/heads/other' })
    const other = await createTestWorkflows(site, test.ada)
    const elsewhere = await other.start(inGroup('PROD'))
    expect([await test.jobs(a), await test.jobs(b), await other.jobs(elsewhere)]).toEqual([
      first,
      waiting,
      first,
    ])
  })

  it('can cancel the run that has it, whose jobs with always() still run before the next one starts', async () => {
    const cancelling = inGroup(`{ group: g, cancel-in-progress: "\${{ github.ref != 'refs/heads/main' }}" }`)
    const a = await test.start(cancelling, { ref: 'refs/heads/b' })
    const running = await test.take('a')
    const b = await test.start(cancelling, { ref: 'refs/heads/main' })
    expect([await test.jobs(a), await test.jobs(b)]).toEqual([['a: in_progress', 'last: waiting'], waiting])
    const c = await test.start(cancelling, { ref: 'refs/heads/b' })
    expect([await test.jobs(a), await test.jobs(b), await test.jobs(c)]).toEqual([
      ['a: in_progress', 'last: waiting'],
      ended,
      waiting,
    ])
    expect((await running.report()).state?.result).toBe(Result.CANCELLED)
    await running.finish({ result: Result.CANCELLED })
    expect([await test.jobs(a), await test.jobs(c)]).toEqual([['a: cancelled', 'last: queued'], waiting])
    expect((await test.details(a))[0]?.message).toBe(
      'Canceled for run #3 in group g, which has cancel-in-progress.',
    )
    await test.run('last')
    expect([await test.outcome(a), await test.jobs(c)]).toEqual(['cancelled', first])
  })

  it('can have a queue instead, in the order in which runs started', async () => {
    const queueing = inGroup('{ group: q, queue: max }')
    const runs = []
    for (let count = 0; count < 4; count++) runs.push(await test.start(queueing))
    for (const run of runs) {
      expect(await test.jobs(run)).toEqual(first)
      await finish()
      expect(await test.outcome(run)).toBe('success')
    }
    await expect(test.start(inGroup('{ group: q, queue: max, cancel-in-progress: true }'))).rejects.toThrow(
      /^422: .*both cancel-in-progress and queue: max/,
    )
  })

  it('keeps what waits with a queue when something without one begins to wait', async () => {
    const runs = []
    for (const concurrency of ['{ group: q, queue: max }', '{ group: q, queue: max }', 'q', 'q'])
      runs.push(await test.start(inGroup(concurrency)))
    const [a, b, c, d] = runs as [number, number, number, number]
    expect([await test.jobs(a), await test.jobs(b), await test.jobs(c), await test.jobs(d)]).toEqual([
      first,
      waiting,
      ended,
      waiting,
    ])
    for (const run of [a, b, d]) {
      await finish()
      expect(await test.outcome(run)).toBe('success')
    }
  })

  it('is not given to a job that was canceled with its run in the meantime', async () => {
    const one = await test.start(
      workflow(
        'p: { runs-on: x }',
        'a: { runs-on: y, concurrency: h }',
        'b: { needs: p, runs-on: y, concurrency: { group: h, cancel-in-progress: true } }',
        'c: { needs: p, runs-on: y, concurrency: { group: k, cancel-in-progress: true } }',
      ),
    )
    const other = await test.start(
      `concurrency: k\n${workflow('x: { runs-on: y, concurrency: { group: h, queue: max } }')}`,
    )
    expect(await test.jobs(other)).toEqual(['x: waiting'])
    await test.run('p')
    expect(await test.jobs(one)).toEqual(['p: success', 'a: cancelled', 'b: queued', 'c: queued'])
    expect(await test.jobs(other)).toEqual(['x: cancelled'])
  })

  it.each([
    ['a run', inGroup('g'), 'a'],
    ['a job', workflow('p: { runs-on: x }', 'a: { needs: p, runs-on: y, concurrency: g }'), 'p'],
  ])('for which %s waits is recorded once', async (_, document, firstJob) => {
    await test.start(document)
    const run = await test.start(document)
    if (firstJob === 'p') for (const _ of [1, 2]) await test.run('p')
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('repository_id', '=', test.repository.id)
      .where('kind', 'in', ['job.blocked', 'job.queued'])
      .orderBy('id')
      .execute()
    const named = events.map(({ kind, data }) => ({ kind, ...(data as { runId: number; name: string }) }))
    const ofJob = named.filter(({ runId, name }) => runId === run && name === 'a').map(({ kind }) => kind)
    expect(ofJob).toEqual(['job.blocked'])
  })

  it('is given back by an attempt of a run that started before runs had groups', async () => {
    const run = await test.start(inGroup('g'))
    await finish()
    await site.db
      .updateTable('workflow_runs')
      .set({ uses_groups: false, concurrency: null })
      .where('id', '=', run)
      .execute()
    await call(site, 'POST', `${test.path}/runs/${run}/rerun`, { as: test.ada })
    const next = await test.start(inGroup('g'))
    expect([await test.jobs(run), await test.jobs(next)]).toEqual([first, waiting])
    await finish()
    expect(await test.jobs(next)).toEqual(first)
  })

  it('of a job whose own run has it is a deadlock, which fails the job', async () => {
    const run = await test.start(
      `concurrency: g\n${workflow('a: { runs-on: x, concurrency: G }', 'b: { runs-on: x, needs: a, if: failure() }')}`,
    )
    expect(await test.jobs(run)).toEqual(['a: failure', 'b: queued'])
    expect((await test.details(run))[0]?.message).toMatch(/because of a deadlock/)
    await test.run('b')
    expect(await test.outcome(run)).toBe('failure')
  })

  it('of jobs is asked for once their needs have completed and their condition is met', async () => {
    const deploying = workflow(
      'a: { runs-on: x }',
      `b: { runs-on: x, needs: a, concurrency: "\${{ needs.a.outputs.where }}" }`,
      "c: { runs-on: x, concurrency: live, if: github.actor == '' }",
    )
    const [one, two, three] = [
      await test.start(deploying),
      await test.start(deploying),
      await test.start(deploying),
    ]
    for (const _ of [one, two, three]) await test.run('a', { where: 'live' })
    expect([await test.jobs(one), await test.jobs(two), await test.jobs(three)]).toEqual([
      ['a: success', 'b: queued', 'c: skipped'],
      ['a: success', 'b: cancelled', 'c: skipped'],
      ['a: success', 'b: waiting', 'c: skipped'],
    ])
    expect([await test.outcome(two), await test.outcome(three)]).toEqual(['cancelled', 'in_progress'])
    const [, waits] = await test.details(three)
    const { body } = await call(site, 'GET', `${test.path}/jobs/${waits?.id}/waiting`, { as: test.ada })
    expect(body).toMatchObject({
      reason: 'concurrency',
      summary: 'The concurrency group live is in use by b of run #1.',
    })
    const blocked = await site.db
      .selectFrom('events')
      .select(({ ref }) =>
        ref('data', '->>')
          .key('jobId' as never)
          .as('job'),
      )
      .where('kind', '=', 'job.blocked')
      .where('repository_id', '=', test.repository.id)
      .execute()
    expect(blocked.filter(({ job }) => Number(job) === waits?.id)).toHaveLength(1)
    await test.run('b')
    await test.run('b')
    expect([await test.outcome(one), await test.outcome(three)]).toEqual(['success', 'success'])
  })

  it('of a matrix runs one of its jobs, lets one wait, and cancels the others', async () => {
    const run = await test.start(
      workflow('a: { runs-on: x, concurrency: one, strategy: { matrix: { n: [1, 2, 3, 4] } } }'),
    )
    expect(await test.jobs(run)).toEqual([
      'a (1): queued',
      'a (2): cancelled',
      'a (3): cancelled',
      'a (4): waiting',
    ])
    await test.run('a (1)')
    await test.run('a (4)')
    expect(await test.outcome(run)).toBe('cancelled')
  })

  it.each([
    ['is empty', `"\${{ github.head_ref }}"`, `is empty: \${{ github.head_ref }}`],
    ['is a list', `"\${{ fromJSON('[1]') }}"`, 'must be a mapping'],
    ['is too long', `"${'x'.repeat(401)}"`, 'more than 400 characters'],
  ])('whose name %s refuses the run', async (_, concurrency, message) => {
    await expect(test.start(inGroup(concurrency))).rejects.toThrow(message)
  })

  it('is given back by a run that is canceled while it waits, or while it runs', async () => {
    const cancel = (run: number) => call(site, 'POST', `${test.path}/runs/${run}/cancel`, { as: test.ada })
    const [a, b] = [await test.start(inGroup('g')), await test.start(inGroup('g'))]
    await cancel(b)
    const c = await test.start(inGroup('g'))
    expect([await test.jobs(b), await test.jobs(c)]).toEqual([ended, waiting])
    await cancel(a)
    expect([await test.jobs(a), await test.jobs(c)]).toEqual([['a: cancelled', 'last: queued'], waiting])
    await cancel(a)
    expect([await test.outcome(a), await test.jobs(c)]).toEqual(['cancelled', first])
  })

  it('is asked for again by each attempt', async () => {
    const [a, b] = [await test.start(inGroup(`"\${{ github.workflow }}-\${{ github.ref }}"`)), 0]
    await finish()
    const next = await test.start(inGroup(`"\${{ github.workflow }}-\${{ github.ref }}"`))
    await call(site, 'POST', `${test.path}/runs/${a}/rerun`, { as: test.ada })
    expect([b, await test.jobs(next), await test.jobs(a)]).toEqual([0, first, waiting])
    await finish()
    await finish()
    expect(await test.outcome(a)).toBe('success')
  })
})
