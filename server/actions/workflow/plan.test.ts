import { describe, expect, it } from 'vitest'
import { planWorkflow } from './plan'
import { readWorkflow } from './read'

const github = { ref: 'refs/heads/main', actor: 'ada', ref_name: 'main' }
const plan = async (document: string) => planWorkflow(await readWorkflow(document), { github })
const refusalOf = (document: string): Promise<string> =>
  plan(document).then(
    () => 'accepted',
    error => (error.kind === 'unprocessable' ? error.message : `${error.kind}: ${error.stack}`),
  )

const withJobs = (jobs: string): string =>
  `on: push\njobs:\n${jobs
    .trim()
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')}\n`
const steps = 'steps: [{ run: make }]'
const withMatrix = (matrix: string): string =>
  withJobs(`a:\n  runs-on: x\n  strategy:\n    matrix: ${matrix}\n  ${steps}`)

async function combinationsOf(matrix: string) {
  return (await plan(withMatrix(matrix))).jobs.map(job => job.matrix)
}

describe('a workflow', () => {
  it('is planned with its name, its title, and its jobs with their needs, labels and conditions', async () => {
    const planned = await plan(`
name: CI
run-name: CI for \${{ github.actor }}
on: [push, workflow_dispatch]
jobs:
  build:
    runs-on: ubuntu-latest
    ${steps}
  test:
    name: Test on \${{ github.ref_name }}
    needs: build
    runs-on: [self-hosted, "\${{ github.actor }}"]
    ${steps}
  ship:
    needs: [build, test]
    if: github.ref == 'refs/heads/main'
    runs-on: { group: big, labels: [linux] }
    ${steps}
  clean:
    needs: ship
    if: always()
    runs-on: x
    ${steps}
`)
    const job = {
      matrix: null,
      needs: [],
      condition: '',
      continue_on_error: false,
      runner_group: null,
      fail_fast: false,
      max_parallel: null,
      concurrency: null,
      call: null,
      template: null,
      permissions: null,
    }
    expect(planned).toEqual({
      name: 'CI',
      title: 'CI for ada',
      concurrency: null,
      later: {},
      jobs: [
        { ...job, position: 0, job_key: 'build', name: 'build', labels: ['ubuntu-latest'] },
        {
          ...job,
          position: 256,
          job_key: 'test',
          name: 'Test on main',
          labels: ['self-hosted', 'ada'],
          needs: ['build'],
        },
        {
          ...job,
          position: 512,
          job_key: 'ship',
          name: 'ship',
          labels: ['linux'],
          runner_group: 'big',
          needs: ['build', 'test'],
          condition: "success() && (github.ref == 'refs/heads/main')",
        },
        {
          ...job,
          position: 768,
          job_key: 'clean',
          name: 'clean',
          labels: ['x'],
          needs: ['ship'],
          condition: 'always()',
        },
      ],
    })
  })

  it('finds the jobs that a job needs whatever the case of their IDs', async () => {
    const { jobs } = await plan(
      withJobs(
        `Build: { runs-on: x, ${steps} }\na: { needs: build, runs-on: x, ${steps} }\nb: { needs: [BUILD, A], runs-on: x, ${steps} }`,
      ),
    )
    expect(jobs.map(({ needs }) => needs)).toEqual([[], ['Build'], ['Build', 'a']])
  })

  it('can use the context gitea wherever it can use github', async () => {
    const { title, jobs } = await plan(`
run-name: \${{ gitea.actor }} tests
on: [push]
jobs:
  a:
    name: On \${{ gitea['ref_name'] }}
    if: gitea.ref == 'refs/heads/main'
    runs-on: \${{ gitea.actor }}
    env: { ALL: "\${{ toJSON(gitea) }}" }
    steps: [{ if: gitea.ref != '', run: "echo \${{ gitea.ref }}" }]
`)
    expect(title).toBe('ada tests')
    expect(jobs[0]).toMatchObject({
      name: 'On main',
      labels: ['ada'],
      condition: "success() && (gitea.ref == 'refs/heads/main')",
    })
  })

  it.each([
    ['', 'The workflow is empty.'],
    ['foo', /^This is not a valid workflow|Unexpected value 'foo'/],
    ['on: push\njobs: [', /^line 2, column 8: Flow sequence/],
    [
      `on: push\njobs:\n  a:\n    run-on: x\n    ${steps}\n`,
      "line 4, column 5: Unexpected value 'run-on'; did you mean 'runs-on'?",
    ],
    [
      withJobs('a: { runs-on: x, needs: b, steps: [] }'),
      "line 3, column 27: Job 'a' depends on unknown job 'b'.",
    ],
    [
      withJobs(
        `a: { runs-on: x, needs: [b], ${steps} }\nb: { runs-on: x, needs: c, ${steps} }\nc: { runs-on: x, needs: b, ${steps} }`,
      ),
      'line 3, column 3: These jobs depend on each other in a cycle: b → c → b.',
    ],
    [
      withJobs(`a: { runs-on: "\${{ github.nothing }}", ${steps} }`),
      `line 3, column 18: A label of job 'a' is empty: \${{ github.nothing }}.`,
    ],
    [
      withJobs(`a: { runs-on: "\${{ forge.ref }}", ${steps} }`),
      /Unrecognized named-value: 'forge'.*; use 'github' or 'gitea'/,
    ],
    [withJobs(`a: { runs-on: x, if: "foo(", ${steps} }`), /^line 3, column 24: Unexpected end of expression/],
    [
      withMatrix(`\${{ fromJSON(github.actor) }}`),
      /^line 6, column 15: The expression 'fromJSON\(github.actor\)' fails: Error parsing JSON/,
    ],
    [withMatrix(`{ os: "\${{ github.actor }}" }`), "line 6, column 22: The matrix key 'os' must be a list."],
    [
      withMatrix(`{ os: ["\${{ fromJSON(github.actor) }}"] }`),
      /^line 6, column 23: The expression 'fromJSON\(github.actor\)' fails/,
    ],
    [
      `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          echo\n          echo \${{ foo( }}\n`,
      /^line 8, column 16: /,
    ],
    [
      `on: push\njobs:\n  a:\n    if: >-\n      \${{ true &&\n      foo( }}\n    runs-on: x\n    ${steps}\n`,
      /^line 5, column 1: /,
    ],
    [
      withJobs(`a: { runs-on: x, strategy: { max-parallel: 0, matrix: { n: [1] } }, ${steps} }`),
      "line 3, column 30: The max-parallel value must be a whole number of at least 1, not '0'.",
    ],
    ['on: push\nconstructor: 1\n__proto__: 2\njobs: {}', /^This is not a valid workflow|Unexpected/],
  ])('with a mistake is refused with the position and the problem: %j', async (document, message) => {
    const refusal = await refusalOf(document)
    if (typeof message === 'string') expect(refusal).toBe(message)
    else expect(refusal).toMatch(message)
  })
})

describe('continue-on-error of a job', () => {
  it('can depend on the matrix', async () => {
    const { jobs } = await plan(
      withJobs(`a:
  runs-on: x
  continue-on-error: \${{ matrix.version == 4 }}
  strategy: { matrix: { version: [3, 4] } }
  ${steps}
b: { runs-on: x, continue-on-error: true, ${steps} }
c: { runs-on: x, ${steps} }`),
    )
    expect(jobs.map(job => job.continue_on_error)).toEqual([false, true, true, false])
  })
})

describe('a matrix', () => {
  it('reads the event of the run only once, however many jobs it creates', async () => {
    let read = 0
    const event = {
      get sender() {
        read++
        return { login: 'ada' }
      },
    }
    const workflow = await readWorkflow(`
on: push
jobs:
  a:
    name: \${{ matrix.n }} for \${{ github.event.sender.login }}
    runs-on: x
    strategy: { matrix: { n: [${Array.from({ length: 100 }, (_, number) => number).join()}] } }
    ${steps}`)
    const { jobs } = planWorkflow(workflow, { github: { ...github, event } })
    expect(jobs.at(-1)?.name).toBe('99 for ada')
    expect(read).toBe(1)
  })

  it('creates a job for each combination, named and labeled by its values', async () => {
    const { jobs } = await plan(
      withJobs(
        `a:\n  runs-on: \${{ matrix.os }}\n  strategy: { matrix: { os: [l, w], node: [20, 22] } }\n  ${steps}`,
      ),
    )
    expect(jobs.map(({ name, labels, matrix }) => [name, labels, matrix])).toEqual([
      ['a (l, 20)', ['l'], { os: 'l', node: 20 }],
      ['a (l, 22)', ['l'], { os: 'l', node: 22 }],
      ['a (w, 20)', ['w'], { os: 'w', node: 20 }],
      ['a (w, 22)', ['w'], { os: 'w', node: 22 }],
    ])
  })

  // Example from GitHub's documentation.
  it('is extended by include without changes to its own values', async () => {
    expect(
      await combinationsOf(
        '{ fruit: [apple, pear], animal: [cat, dog], include: [{ color: green }, { color: pink, animal: cat }, { fruit: apple, shape: circle }, { fruit: banana }, { fruit: banana, animal: cat }] }',
      ),
    ).toEqual([
      { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
      { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
      { fruit: 'pear', animal: 'cat', color: 'pink' },
      { fruit: 'pear', animal: 'dog', color: 'green' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ])
  })

  it('can consist of include only, contain mappings, and lose combinations to exclude', async () => {
    expect(await combinationsOf('{ include: [{ a: 1 }, { a: 2 }] }')).toEqual([{ a: 1 }, { a: 2 }])
    expect(
      await combinationsOf(
        '{ os: [{ n: a }, { n: b }], v: [1, 2], exclude: [{ os: { n: a }, v: 1 }, { v: 2 }] }',
      ),
    ).toEqual([{ os: { n: 'b' }, v: 1 }])
  })

  it('compares include and exclude as expressions do, and keeps its own values', async () => {
    expect(
      await combinationsOf(
        "{ os: [Linux, mac], v: [20, { n: 1, m: 2 }], include: [{ os: linux, v: '20', x: 1 }], exclude: [{ os: MAC, v: { n: '1' } }] }",
      ),
    ).toEqual([
      { os: 'Linux', v: 20, x: 1 },
      { os: 'Linux', v: { n: 1, m: 2 } },
      { os: 'mac', v: 20 },
    ])
  })

  it('finds the keys of include and exclude whatever their case', async () => {
    expect(await combinationsOf('{ Os: [a, b], include: [{ os: a, x: 1 }], exclude: [{ OS: b }] }')).toEqual([
      { Os: 'a', x: 1 },
    ])
  })

  it('names jobs by its own values, and by all values of an entry that include adds as a combination', async () => {
    const { jobs } = await plan(
      withMatrix(
        '{ v: [1, 2], os: [l, w], include: [{ os: l, fast: true }, { extra: x, os: m, v: 3 }, { late: y }], exclude: [{ v: 2 }] }',
      ),
    )
    expect(jobs.map(({ name }) => name)).toEqual(['a (1, l)', 'a (1, w)', 'a (m, 3, x)'])
    const only = await plan(withMatrix('{ include: [{ b: 1, a: 2 }, { a: 3 }] }'))
    expect(only.jobs.map(({ name }) => name)).toEqual(['a (1, 2)', 'a (3)'])
  })

  it('names jobs of another attempt in the same order of values', async () => {
    const document = withMatrix('{ version: [1], os: [l], include: [{ os: l, fast: true }] }')
    const kept = { index: 0, total: 1, position: 0, isUnexpanded: false }
    const again = async (text: string, matrix: Record<string, string | number>) =>
      planWorkflow(await readWorkflow(text), { github }, { known: [{ ...kept, job_key: 'a', matrix }] })
        .jobs[0]?.name
    expect(await again(document, { os: 'l', fast: 'y', version: 1 })).toBe('a (1, l)')
    const only = withMatrix('{ include: [{ version: 1, os: l }] }')
    expect(await again(only, { os: 'l', version: 1 })).toBe('a (1, l)')
  })

  it.each(['include', 'exclude'])('is refused if an entry of %s has no values', async key => {
    expect(await refusalOf(withMatrix(`{ n: [1], ${key}: [{}] }`))).toMatch(
      /^line 6, column \d+: An entry in include or exclude has no values\.$/,
    )
  })

  it('is refused if it has more than 256 combinations, or none', async () => {
    const many = `[${Array.from({ length: 17 }, (_, index) => index)}]`
    expect(await refusalOf(withMatrix(`{ a: ${many}, b: ${many} }`))).toMatch(/more than 256 combinations/)
    const huge = `[${Array.from({ length: 5000 }, (_, index) => index)}]`
    expect(await refusalOf(withMatrix(`{ a: ${huge}, b: ${huge}, c: ${huge} }`))).toMatch(/more than 256/)
    expect(await refusalOf(withMatrix('{ a: [1], exclude: [{ a: 1 }] }'))).toMatch(/no combinations/)
  })
})

describe('a large or hostile workflow', () => {
  const jobs = (count: number, body: (index: number) => string): string =>
    `on: push\njobs:\n${Array.from({ length: count }, (_, index) => `  j${index}: ${body(index)}`).join('\n')}\n`
  const levels = Array.from(
    { length: 15 },
    (_, n) => `        l${n + 1}: &l${n + 1} [*l${n}, *l${n}, *l${n}]`,
  )

  it.each([
    ['2000 jobs', jobs(2000, () => '{ runs-on: x }'), /has more than 1000 jobs/],
    [
      'more jobs by matrices',
      jobs(
        8,
        () =>
          `{ runs-on: x, strategy: { matrix: { a: [${Array.from({ length: 200 }, (_, n) => n)}] } }, ${steps} }`,
      ),
      /more than 1000 jobs/,
    ],
    [
      'jobs that need each other, in a chain that ends in a cycle',
      jobs(1000, index => `{ runs-on: x, needs: j${(index + 1) % 1000}, ${steps} }`),
      /in a cycle/,
    ],
    ['more than 512 KiB', `# ${'x'.repeat(512 * 1024)}`, /is 513 KiB; the limit is 512 KiB/],
    [
      'brackets in brackets',
      `on: push\njobs: ${'['.repeat(100_000)}`,
      /has more than 96 levels of nesting; at most 32/,
    ],
    [
      'lists in lists on one line',
      `on: push\njobs:\n  ${'- '.repeat(100_000)}`,
      /has more than 96 levels of nesting; at most 32/,
    ],
    [
      'lists in lists by indentation',
      `on:\n${Array.from({ length: 900 }, (_, n) => `${' '.repeat(n)}-`).join('\n')}`,
      /./,
    ],
    [
      'aliases of aliases of aliases',
      withMatrix(`\n        l0: &l0 [x]\n${levels.join('\n')}`),
      /alias inside the value of another/,
    ],
    [
      'aliases of something long',
      withMatrix(`{ a: &a [${'x,'.repeat(2000)}], b: [${'*a,'.repeat(45)}] }`),
      /more than 30,000 values/,
    ],
    [
      'very many short keys',
      `on: push\n${`${'? '.repeat(30)}\n`.repeat(8000)}`,
      /has more than 180,000 YAML tokens; at most 60,000/,
    ],
    [
      'very many comments',
      `on: push\n${'#\n'.repeat(250_000)}`,
      /has more than 180,000 YAML tokens; at most 60,000/,
    ],
    ['very many aliases', `env: [${'*a,'.repeat(50_000)}]`, /has more than 150 aliases; at most 50 are/],
    [
      'aliases of a long text',
      jobs(
        40,
        index => `{ runs-on: x, steps: [{ run: ${index ? '*a' : `&a "${`\${{1}}`.repeat(4000)}"`} }] }`,
      ),
      /more than 524,288 characters/,
    ],
    [
      'mappings in mappings by indentation',
      withMatrix(
        `\n        a:\n          - b:\n${Array.from({ length: 40 }, (_, n) => `${' '.repeat(n + 15)}a:\n`).join('')}`,
      ),
      /more than 32 levels of nesting/,
    ],
    ['an alias of what it is in', 'on: push\njobs: &a\n  b: *a\n', /./],
    [
      'long expressions for each job of a matrix',
      withJobs(
        `a:\n  runs-on: x\n  name: "\${{ '${'x'.repeat(20_000)}' == matrix.a }}"\n  strategy: { matrix: { a: [${Array.from({ length: 200 }, (_, n) => n)}] } }\n  ${steps}`,
      ),
      /expressions in this workflow are too long/,
    ],
    [
      'texts that grow with each call',
      withJobs(
        `a: { runs-on: "\${{ ${"format('{0}{0}{0}{0}{0}{0}{0}{0}',".repeat(40)} 'x'${')'.repeat(40)} }}", ${steps} }`,
      ),
      /returns more than 4096 characters/,
    ],
    [
      'a matrix with very many dimensions',
      withMatrix(`{ ${Array.from({ length: 2000 }, (_, n) => `k${n}: [1]`).join(', ')} }`),
      /expanding them takes more than 200,000 steps/,
    ],
    [
      'a matrix that excludes very much',
      withMatrix(
        `{ a: [${Array.from({ length: 256 }, (_, n) => n)}], exclude: [${'{ a: { b: 1 } }, '.repeat(1000)}] }`,
      ),
      /expanding them takes more than 200,000 steps/,
    ],
    [
      'a long value in each combination',
      withMatrix(`{ a: ["${'x'.repeat(100_000)}"], b: [${Array.from({ length: 200 }, (_, n) => n)}] }`),
      /run's matrices contain too much text/,
    ],
  ])('with %s is refused', async (_, document, message) => {
    expect(await refusalOf(document)).toMatch(message)
  })

  it('with very many YAML mistakes is refused with the first ones, without collecting all', async () => {
    const message = await refusalOf(`on: push\nenv: { ${'"a" "b" '.repeat(5000)} }`)
    expect(message.split('\n').length).toBe(5)
    expect(message).toMatch(/^line 2, column \d+: /)
    expect((await refusalOf(`on: "${'\\q'.repeat(250_000)}"`)).split('\n').length).toBe(5)
  })

  it('is accepted if it is only long: 200 KiB of steps with a matrix', async () => {
    const step = `      - name: Build\n        run: npm run build --workspace packages/part\n        env: { TOKEN: "\${{ secrets.T }}" }\n`
    const job = (name: string) =>
      `  ${name}:\n    runs-on: x\n    strategy: { matrix: { os: [a, b], node: [18, 20] } }\n    steps:\n${step.repeat(400)}`
    const document = `on: push\njobs:\n${['a', 'b', 'c', 'd', 'e'].map(job).join('')}`
    expect(document.length).toBeGreaterThan(200 * 1024)
    const { jobs } = await plan(document)
    expect(jobs).toHaveLength(20)
  })

  it('is planned without characters that the database cannot store', async () => {
    const { jobs } = await plan(withMatrix('{ "a\\0": ["x\\0", "\\ud800"] }'))
    expect(jobs.map(({ matrix }) => matrix)).toEqual([{ a: 'x' }, { a: '\ufffd' }])
    const conditional = await plan(
      `on: push\njobs: { a: { if: "'a\\0' == ''", runs-on: x, steps: [{ run: x }] } }`,
    )
    expect(conditional.jobs[0]?.condition).toBe("success() && ('a' == '')")
  })
})
