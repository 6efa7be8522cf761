import { expect, it } from 'vitest'
import { type RunOptions, runWithoutStoring } from '@/testing/planned-runs'
import { readWorkflow } from './read'

const sha = 'f00dfeed'.repeat(5)
const on = `on:
  workflow_dispatch:
    inputs: { text: { default: abc }, flag: { type: boolean }, count: { type: number }, zero: { type: number } }`
const options: RunOptions = {
  start: {
    event: 'workflow_dispatch',
    payload: { inputs: { text: 'abc', flag: 'false', count: '2.50', zero: '0' } },
  },
  results: { one: { outputs: { label: 'box' } } },
}
const braces = (expression: string): string => `"\${{ ${expression} }}"`
const bracketed = (expression: string): string => `"[\${{ ${expression} }}]"`
const equals = (expression: string, value: string): string => `format('[{0}]', ${expression}) == '[${value}]'`

/** Everything that a workflow says about a run, and about a job, with the same expression. */
const ofRun = (expression: string): string =>
  `run-name: ${bracketed(expression)}\nconcurrency: ${bracketed(expression)}`
const ofRow = (expression: string, value: string): string =>
  `name: ${bracketed(expression)}
    runs-on: ${bracketed(expression)}
    concurrency: ${bracketed(expression)}
    environment: ${bracketed(expression)}
    continue-on-error: ${braces(equals(expression, value))}`
const ofJob = (expression: string, value: string): string =>
  `if: ${braces(equals(expression, value))}
    strategy: { matrix: { v: [${bracketed(expression)}] } }`

const workflowWith = (run: string, job: string): string =>
  `name: CI
${on}
${run}
jobs:
  one: { runs-on: x, steps: [{ run: make }] }
  two:
    needs: one
    steps: [{ run: make }]
    ${job}
`
const rowOf = (text: string) => ({
  conclusion: 'success',
  name: text,
  labels: [text],
  concurrency: expect.objectContaining({ name: text }),
  continue_on_error: true,
})

it.each([
  ['github.event_name', 'workflow_dispatch'],
  ['github.event.head_commit.message', 'Fix the parser'],
  ['github.event.inputs.flag', 'false'],
  ['github.ref', 'refs/heads/main'],
  ['github.ref_name', 'main'],
  ['github.ref_type', 'branch'],
  ['github.ref_protected', 'false'],
  ['github.head_ref', ''],
  ['github.base_ref', ''],
  ['github.sha', sha],
  ['github.repository', 'acme/tool'],
  ['github.repository_id', '5'],
  ['github.repository_owner', 'acme'],
  ['github.repository_owner_id', '4'],
  ['github.repositoryUrl', 'https://forge.example.com/acme/tool.git'],
  ['github.actor', 'ada'],
  ['github.actor_id', '3'],
  ['github.triggering_actor', 'ada'],
  ['github.workflow', 'CI'],
  ['github.workflow_ref', 'acme/tool/.gitea/workflows/a.yml@refs/heads/main'],
  ['github.workflow_sha', sha],
  ['github.run_id', '7041'],
  ['github.run_number', '12'],
  ['github.run_attempt', '1'],
  ['github.retention_days', '90'],
  ['github.secret_source', 'Actions'],
  ['github.server_url', 'https://forge.example.com'],
  ['github.api_url', 'https://forge.example.com/api/v1'],
  ['github.graphql_url', ''],
  // Only steps know these.
  ...['token', 'job', 'action', 'action_path', 'action_ref', 'action_repository', 'action_status'].map(
    key => [`github.${key}`, ''],
  ),
  ...['env', 'path', 'event_path', 'workspace', 'artifacts', 'artifacts_list'].map(key => [
    `github.${key}`,
    '',
  ]),
  ["gitea['REF']", 'refs/heads/main'],
  ['fromJSON(toJSON(github)).run_id', '7041'],
  ['inputs.text', 'abc'],
  ['inputs.flag', 'false'],
  ["inputs.flag && 'yes' || 'no'", 'no'],
  ['inputs.count', '2.50'],
  ['inputs.count == 2.5', 'true'],
  ['inputs.zero && 1 || 2', '1'],
  ['inputs.unknown', ''],
  ['vars.REGION', 'eu-west-1'],
  ['vars.region', 'eu-west-1'],
  ['vars.UNKNOWN', ''],
] as [string, string][])('%s has its value wherever a run or job can use it', async (expression, value) => {
  const text = `[${value}]`
  const document = workflowWith(
    ofRun(expression),
    `${ofRow(expression, value)}\n    ${ofJob(expression, value)}`,
  )
  const { plan, ended } = await runWithoutStoring(document, options)
  expect([plan.title, plan.concurrency?.name]).toEqual([text, text])
  expect(ended[1]).toMatchObject({ ...rowOf(text), matrix: { v: text } })
})

it.each([
  ['needs.one.outputs.label', 'box'],
  ["needs['ONE'].outputs['LABEL']", 'box'],
  ['needs.one.outputs.unknown', ''],
  ['needs.one.result', 'success'],
  ["join(needs.*.result, ' ')", 'success'],
])('%s has its value wherever a job can use it, and is refused for the run', async (expression, value) => {
  const text = `[${value}]`
  const document = workflowWith('', `${ofRow(expression, value)}\n    ${ofJob(expression, value)}`)
  const { ended } = await runWithoutStoring(document, options)
  expect(ended[1]).toMatchObject({ ...rowOf(text), matrix: { v: text } })
})

it.each([
  ['matrix.n', ['1', '2']],
  ['matrix.unknown', ['', '']],
  ['strategy.job-index', ['0', '1']],
  ['strategy.job-total', ['2', '2']],
  ['strategy.fail-fast', ['false', 'false']],
  ['strategy.max-parallel', ['1', '1']],
])('%s has its value for each combination of a matrix', async (expression, values) => {
  const strategy = 'strategy: { fail-fast: false, max-parallel: 1, matrix: { n: [1, 2] } }'
  const { ended } = await runWithoutStoring(
    workflowWith('', `${ofRow(expression, values[0] ?? '')}\n    ${strategy}`),
    options,
  )
  expect(ended.slice(1)).toMatchObject(
    values.map((value, index) => ({
      ...rowOf(`[${value}]`),
      continue_on_error: index === 0 || value === values[0],
    })),
  )
})

it('without a matrix, strategy describes a single job', async () => {
  const expression = "format('{0} {1} {2}', strategy.job-index, strategy.job-total, strategy.fail-fast)"
  const { ended } = await runWithoutStoring(workflowWith('', ofRow(expression, '0 1 true')), options)
  expect(ended[1]).toMatchObject(rowOf('[0 1 true]'))
})

it('matrix can be used in the condition of a job, which GitHub refuses', async () => {
  const job = `runs-on: x\n    if: \${{ matrix.n == 2 }}\n    strategy: { matrix: { n: [1, 2] } }`
  const { ended } = await runWithoutStoring(workflowWith('', job), options)
  expect(ended.slice(1).map(({ conclusion }) => conclusion)).toEqual(['skipped', 'success'])
})

const runKeys = ['run-name', 'concurrency']
const rowKeys = ['name', 'runs-on', 'concurrency', 'continue-on-error', 'environment', 'timeout-minutes']
const jobKeys = ['if', 'strategy', ...rowKeys]
const refusals: [string, string[], string[]][] = [
  ['needs.one.result', runKeys, []],
  ['strategy.job-index', runKeys, ['if', 'strategy']],
  ['matrix.n', runKeys, ['strategy']],
  ['env.CI', runKeys, jobKeys],
  ['secrets.TOKEN', runKeys, jobKeys],
  ['job.status', runKeys, jobKeys],
  ['jobs.one.result', runKeys, jobKeys],
  ['runner.os', runKeys, jobKeys],
  ['steps.one.outcome', runKeys, jobKeys],
  ['forgejo.ref', runKeys, jobKeys],
  ["hashFiles('**/package-lock.json')", [...runKeys, 'env'], [...jobKeys, 'env', 'outputs', 'container']],
  ['success()', runKeys, [...rowKeys, 'strategy']],
]
const keyLine = (key: string, expression: string): string => {
  const value = `\${{ ${expression} }}`
  if (key === 'env' || key === 'outputs') return `${key}: { A: "${value}" }`
  return key === 'strategy' ? `strategy: { matrix: { n: ["${value}"] } }` : `${key}: ${value}`
}

it.each(
  refusals.flatMap(([expression, ofRuns, ofJobs]) => [
    ...ofRuns.map(key => [
      expression,
      `${key} of the workflow`,
      workflowWith(keyLine(key, expression), 'runs-on: x'),
    ]),
    ...ofJobs.map(key => {
      const others = key === 'runs-on' ? '' : 'runs-on: x\n    '
      return [expression, `${key} of a job`, workflowWith('', `${others}${keyLine(key, expression)}`)]
    }),
  ]) as [string, string, string][],
)('%s is refused in %s, with line and column', async (_, __, document) => {
  const lines = document.split('\n')
  const line = lines.findIndex(text => text.includes('${{'))
  const column = (lines[line] ?? '').indexOf('${{')
  await expect(readWorkflow(document)).rejects.toThrow(
    new RegExp(`^line ${line + 1}, column ${column + 1}: Unrecognized (named-value|function): `),
  )
})

it('hashFiles can only be used in steps, as the message says', async () => {
  const job = `runs-on: x\n    name: \${{ hashFiles('a') }}`
  await expect(readWorkflow(workflowWith('', job))).rejects.toThrow(/'hashFiles'.*; only steps can use it$/)
  const steps = `[{ if: "hashFiles('a') != ''", name: "\${{ hashFiles('a') }}", run: make }]`
  const document = `${on}\njobs: { a: { runs-on: x, steps: ${steps} } }`
  await expect(readWorkflow(document)).resolves.toBeDefined()
})

it('an unknown queue of a concurrency group is refused with line and column', async () => {
  const job = 'runs-on: x\n    concurrency: { group: g, queue: all }'
  await expect(readWorkflow(workflowWith('', job))).rejects.toThrow(
    /^line 12, column 37: Unexpected value 'all'$/,
  )
})
