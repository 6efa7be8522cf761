import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { FakeRunner, FakeTask } from '@/testing/fake-runner'
import { openReceiver } from '@/testing/receiver'
import { adminToken } from '../process/api'
import { admin, adminEnvironment, start } from '../process/guildhall'
import { runScenario, runSteps } from './scenario'

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())

const home = await mkdtemp(join(tmpdir(), 'guildhall-demo-'))
const receiver = await openReceiver()
console.log('Starting a site with a database of its own…')
const guildhall = await start({
  GUILDHALL_DATA_DIR: home,
  GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback',
  ...adminEnvironment,
})
try {
  await Promise.race([demonstrate(guildhall.url), once(ended.signal, 'abort')])
} finally {
  await guildhall.end('SIGTERM')
  await receiver.close()
  await rm(home, { recursive: true, force: true })
}
// An interrupted scenario would otherwise continue.
process.exit()

async function demonstrate(url: string): Promise<void> {
  const { runner, pages } = await runScenario({
    url,
    token: await adminToken(url),
    receiver,
    folder: home,
    stepMs: 1500,
    onStep: what => console.log(`· ${what}`),
  })
  const shown = {
    'The job and its log': pages.job,
    'Its run': pages.run,
    'Its artifact': pages.artifact,
    'The release': pages.release,
    'The runner': pages.runners,
    'What the webhook received': pages.hooks,
    'The key': pages.key,
  }
  console.log(`
Sign in at ${url}/-/sign-in as ${admin.name} with the password: ${admin.password}

${Object.entries(shown)
  .map(([name, path]) => `  ${name.padEnd(26)} ${url}${path}`)
  .join('\n')}

The runner keeps taking jobs, and only pretends to run them. Press Ctrl+C to stop the site and delete its data.`)
  await takeJobs(runner, ended.signal)
}

async function takeJobs(runner: FakeRunner, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await runner.fetchTask({ signal }).catch(() => undefined)
    if (!found) continue
    const task = runner.take(found)
    await task.log('This runner only pretends to run the job.')
    const steps = stepsOf(found).map(() => (log: FakeTask['log']) => log('Nothing is run here.'))
    await task.finish(await runSteps(task, steps))
  }
}

function stepsOf({ workflowPayload }: FakeTask['task']): unknown[] {
  const workflow: { jobs: Record<string, { steps: unknown[] }> } = parse(
    new TextDecoder().decode(workflowPayload),
  )
  return Object.values(workflow.jobs).flatMap(({ steps }) => steps)
}
