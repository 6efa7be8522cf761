import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { jobContext } from '@/server/services'
import { startWorkflows } from '@/server/triggers/worker'
import { gitOk } from './git'
import { addressOf } from './git-repository'
import type { Person } from './people'
import type { Site } from './site'

/** Writes files to a local repository, commits them, and returns the ID of the commit. */
export async function commitFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
  message = 'Change files',
): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  await gitOk(['add', '.'], { cwd: directory })
  await gitOk(['commit', '-q', '--allow-empty', '-m', message], { cwd: directory })
  return await gitOk(['rev-parse', 'HEAD'], { cwd: directory })
}

/** Pushes over HTTP and starts the workflow runs that the push triggers. */
export async function pushAndStart(
  site: Site,
  directory: string,
  repository: { path: string },
  person: Person,
  refs: readonly string[] = ['main'],
): Promise<void> {
  const url = addressOf(site, repository, person)
  await gitOk(['push', '-q', '--force', url, ...refs], { cwd: directory })
  await startWaiting(site)
}

/** Starts the workflow runs that the events recorded so far trigger. */
export async function startWaiting(site: Site): Promise<void> {
  while ((await startWorkflows(jobContext(site.services, 'test'))) > 0);
}

/** Returns the content of a workflow file with one job and with `on` as its triggers. */
export const workflowOn = (on: string, name = 'CI'): string =>
  `name: ${name}\non: ${on}\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n`
