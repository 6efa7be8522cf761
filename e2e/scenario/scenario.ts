import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ArtifactClient } from '@/testing/artifact-clients/client'
import { createFakeRunner, type FakeRunner, type FakeTask, type Report, Result } from '@/testing/fake-runner'
import { gitOk } from '@/testing/git'
import type { Receiver } from '@/testing/receiver'
import { addKey } from '../process/api'

export interface ScenarioSetup {
  url: string
  /** Access token with every scope, with which the whole scenario is performed. */
  token: string
  /** Receives the deliveries of the organization's webhook. */
  receiver: Receiver
  /** Path of an empty directory for local files. */
  folder: string
  /** Duration of each job step in milliseconds, for people who watch. */
  stepMs?: number
  /** Called at the beginning of each part, with a sentence that describes it. */
  onStep?: (what: string) => void
}

export interface ScenarioResult {
  runner: FakeRunner
  conclusion: string
  artifact: { id: number; name: string }
  assets: string[]
  /** Paths of the pages that show the results. */
  pages: Record<'key' | 'run' | 'job' | 'artifact' | 'release' | 'runners' | 'hooks', string>
}

const organization = 'atelier'
const repository = `${organization}/press`

const workflow = `name: Build
on:
  push: { branches: [main] }
jobs:
  build:
    runs-on: linux
    steps:
      - name: Compile
        run: make
      - name: Test
        run: make test
      - name: Upload the result
        uses: actions/upload-artifact@v4
`

/**
 * Adds a key, pushes a repository with a workflow, lets a runner execute its job and upload an artifact with
 * the stock client, receives the webhook deliveries of all this, and publishes a release.
 */
export async function runScenario(setup: ScenarioSetup): Promise<ScenarioResult> {
  const { url, token, receiver, folder, onStep = () => {} } = setup
  const authorization = `token ${token}`
  const rest = <T>(method: string, path: string, body?: object): Promise<T> =>
    call(`${url}/api/v1${path}`, { method, authorization, ...(body && { body }) })

  onStep('An SSH key is added.')
  await addKey(url, token)

  onStep('An organization gets a webhook, and a repository.')
  await rest('POST', '/orgs', { username: organization })
  await rest('POST', `/orgs/${organization}/hooks`, {
    type: 'gitea',
    name: 'Build monitor',
    active: true,
    config: { url: receiver.url, content_type: 'json' },
    events: ['workflow_run', 'workflow_job'],
  })
  await rest('POST', `/orgs/${organization}/repos`, { name: 'press', auto_init: true })

  onStep('A runner is registered, and waits for a job.')
  const made = await rest<{ token: string }>(
    'POST',
    `/orgs/${organization}/actions/runners/registration-token`,
  )
  const runner = createFakeRunner({ url })
  await runner.register({ name: 'press-1', token: made.token, labels: ['linux'], version: '1.0.0' })
  await runner.declare(['linux'], { capabilities: ['cancelling'] })
  const work = runner.work(task => build(task, setup))

  onStep('A workflow is pushed, and the runner takes its job.')
  await push({ url, folder, authorization })
  await work

  const { workflow_runs: runs } = await rest<{ workflow_runs: { id: number; conclusion: string }[] }>(
    'GET',
    `/repos/${repository}/actions/runs`,
  )
  const [run] = runs
  if (!run) throw new Error('the push started no run')
  const { artifacts } = await rest<{ artifacts: { id: number; name: string }[] }>(
    'GET',
    `/repos/${repository}/actions/runs/${run.id}/artifacts`,
  )
  const [artifact] = artifacts
  if (!artifact) throw new Error('the job left no artifact')
  const { jobs } = await rest<{ jobs: { id: number }[] }>(
    'GET',
    `/repos/${repository}/actions/runs/${run.id}/jobs`,
  )

  onStep('A release is published with two files.')
  const release = await rest<{ id: number }>('POST', `/repos/${repository}/releases`, {
    tag_name: 'v1.0',
    name: 'First edition',
    body: 'Everything that the press needs.',
  })
  const assets = ['press.tar.gz', 'LICENSE.txt']
  for (const name of assets) {
    const target = `${url}/api/v1/repos/${repository}/releases/${release.id}/assets?name=${name}`
    await call(target, { method: 'POST', authorization, bytes: Buffer.from(`This is ${name}.`) })
  }

  const runPage = `/${repository}/actions/runs/${run.id}`
  return {
    runner,
    conclusion: run.conclusion,
    artifact,
    assets,
    pages: {
      key: '/user/settings/keys',
      run: runPage,
      job: `${runPage}/jobs/${jobs[0]?.id}`,
      artifact: `${runPage}/artifacts/${artifact.id}`,
      release: `/${repository}/releases/tag/v1.0`,
      runners: `/-/orgs/${organization}/settings/actions/runners`,
      hooks: `/-/orgs/${organization}/settings/hooks`,
    },
  }
}

/** Executes the job's steps and uploads an artifact with the stock client. */
async function build(task: FakeTask, { url, folder, stepMs = 0 }: ScenarioSetup): Promise<Report> {
  const workspace = join(folder, 'build')
  await task.log('press-1 prepares the job.')
  return await runSteps(task, [
    async log => {
      await log('$ make', 'cc -O2 -c press.c', 'cc -O2 -c plate.c')
      await delay(stepMs)
      await log('::group::Linker', 'cc -o press press.o plate.o', '::endgroup::')
    },
    async log => {
      await log('$ make test')
      await delay(stepMs)
      await log('\u001b[33m1 test skipped: no paper\u001b[0m', '\u001b[32m12 tests passed\u001b[0m')
    },
    async log => {
      await mkdir(workspace, { recursive: true })
      await writeFile(join(workspace, 'report.json'), JSON.stringify({ tests: 12, failed: 0 }))
      const job = { token: runtimeToken(task.task) }
      await using client = await ArtifactClient.start('5.0.3', { url, workspace, job })
      await client.call('uploadArtifact', 'report', [join(workspace, 'report.json')], workspace)
      await log('The artifact was uploaded.')
    },
  ])
}

type LogRows = FakeTask['log']

/** Runs the steps of a job one after another, and reports the start and end of each. */
export async function runSteps(
  task: FakeTask,
  steps: readonly ((log: LogRows) => Promise<void>)[],
): Promise<Report> {
  const states: NonNullable<Report['steps']> = []
  // The first row is written by the runner itself, before the first step.
  let rows = 1
  for (const [id, run] of steps.entries()) {
    const state = { id: BigInt(id), startedAt: timestampFromDate(new Date()), logIndex: BigInt(rows) }
    const first = rows
    await task.report({ steps: [...states, state] })
    await run(async (...added) => {
      rows += added.length
      await task.log(...added)
    })
    const ended = { result: Result.SUCCESS, stoppedAt: timestampFromDate(new Date()) }
    states.push({ ...state, ...ended, logLength: BigInt(rows - first) })
  }
  return { steps: states }
}

function runtimeToken({ context }: FakeTask['task']): string {
  const token = context?.gitea_runtime_token
  if (typeof token !== 'string') throw new Error('the task has no token for artifacts')
  return token
}

async function push({
  url,
  folder,
  authorization,
}: Pick<ScenarioSetup, 'url' | 'folder'> & { authorization: string }): Promise<void> {
  const tree = join(folder, 'press')
  await gitOk(['clone', '-q', `${url}/${repository}.git`, tree], { authorization })
  await mkdir(join(tree, '.gitea/workflows'), { recursive: true })
  await writeFile(join(tree, '.gitea/workflows/build.yml'), workflow)
  await gitOk(['add', '.'], { cwd: tree })
  await gitOk(['commit', '-qm', 'Build each push'], { cwd: tree })
  await gitOk(['push', '-q'], { cwd: tree, authorization })
}

async function call<T>(
  url: string,
  options: { method: string; authorization: string; body?: object; bytes?: Uint8Array },
): Promise<T> {
  const { method, authorization, body, bytes } = options
  const type = body ? 'application/json' : 'application/octet-stream'
  const response = await fetch(url, {
    method,
    headers: { authorization, ...((body || bytes) && { 'content-type': type }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(bytes && { body: new Uint8Array(bytes) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}
