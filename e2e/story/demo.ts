import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReceiver } from '@/testing/receiver'
import type { FakeRunner } from '@/testing/runner'
import { adminToken } from '../process/api'
import { admin, adminEnvironment, start } from '../process/guildhall'
import { tellStory } from './story'

const home = await mkdtemp(join(tmpdir(), 'guildhall-demo-'))
const receiver = await openReceiver()
console.log('Starting a site with a database of its own…')
const guildhall = await start({
  GUILDHALL_DATA_DIR: home,
  GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback',
  ...adminEnvironment,
})
const { url } = guildhall
const told = await tellStory({
  url,
  token: await adminToken(url),
  receiver,
  folder: home,
  tell: chapter => console.log(`· ${chapter}`),
})
const pages = {
  'The run and its log': told.run.path,
  'Its artifact': told.artifact.path,
  'The release': told.release.path,
  'The runner': '/-/orgs/atelier/settings/runners',
  'What the webhook was told': '/-/orgs/atelier/settings/hooks',
  'The key': told.keys,
}
console.log(`
Sign in at ${url}/-/sign-in as ${admin.name} with the password: ${admin.password}

${Object.entries(pages)
  .map(([name, path]) => `  ${name.padEnd(26)} ${url}${path}`)
  .join('\n')}

The runner goes on taking jobs, and only pretends to do them. Press Ctrl+C to end the site and delete all of it.`)

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
await takeJobs(told.runner, ended.signal)
await guildhall.end('SIGTERM')
await receiver.close()
await rm(home, { recursive: true, force: true })

async function takeJobs(runner: FakeRunner, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await runner.fetchTask({ signal }).catch(() => undefined)
    if (!found) continue
    const task = runner.take(found)
    await task.log('This runner only pretends to do the job.')
    await task.finish()
  }
}
