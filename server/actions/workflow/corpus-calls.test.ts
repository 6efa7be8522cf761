import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type RunOptions, runWithoutStoring } from '@/testing/planned-runs'
import type { NewJob } from './first-jobs'
import { operations } from './thread/operations'

const folder = new URL('./corpus/calls/', import.meta.url)
const caller = (name: string): Promise<string> => readFile(new URL(`${name}.yml`, folder), 'utf8')
const called = (): Promise<string> => readFile(new URL('../called.yml', folder), 'utf8')

const described = ({ name, needs, permissions, concurrency, call }: NewJob): string => {
  const parts = [
    name,
    needs.length > 0 && `after ${needs.join(', ')}`,
    permissions && JSON.stringify(permissions.scopes),
    concurrency && `in group ${concurrency.name}`,
    call && `${call.uses} ${JSON.stringify(call.inputs)}`,
    call?.inherits && 'with all secrets',
  ]
  return parts.filter(Boolean).join(', ')
}

const shared = 'acme/workflows/.github/workflows/build.yml@v2'

const expected: Record<string, RunOptions & { jobs: string[] }> = {
  caller: {
    jobs: [
      'build, ./.gitea/workflows/called.yml {"node":"22","publish":false,"retries":1}',
      'after, after build',
    ],
  },
  'conditional-call': {
    results: { test: { outputs: { version: '1.4.0' } } },
    jobs: [
      'test',
      'deploy, after test, {"contents":"write"}, in group deploy, ./.github/workflows/deploy.yml {"version":"1.4.0"}',
    ],
  },
  'matrix-of-calls': {
    jobs: ['dev', 'stage', 'prod'].map(
      target => `Build for ${target}, ${shared} {"target":"${target}"}, with all secrets`,
    ),
  },
  'nested-call': { jobs: ['inner, ./.github/workflows/called.yml {"retries":null}'] },
}

it('each caller of the corpus has an expectation', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(expected).map(name => `${name}.yml`))
})

it.each(Object.entries(expected))(
  'the jobs of the workflow %s call others with these inputs',
  async (name, want) => {
    const { ended } = await runWithoutStoring(await caller(name), want)
    expect(ended.map(described)).toEqual(want.jobs)
  },
)

it('a called workflow gets the inputs of its caller, and its jobs have the name of the caller', async () => {
  const { ended, plan } = await runWithoutStoring(await caller('caller'), {})
  const [{ call = null, name: ofCaller = '', permissions = null } = {}] = ended
  if (!call) throw new Error('The job does not call a workflow.')
  const { jobs, inputs, outputs } = await operations.planCall({
    document: await called(),
    path: '.gitea/workflows/called.yml',
    context: plan.context,
    start: { payload: {}, vars: {} },
    call,
    caller: ofCaller,
    permissions,
    position: 0,
  })
  expect(jobs.map(described)).toEqual(['build / build', 'build / publish, after build'])
  expect(inputs).toEqual({ node: '22', publish: false, retries: 1 })
  expect(Object.keys(outputs)).toEqual(['version'])
})
