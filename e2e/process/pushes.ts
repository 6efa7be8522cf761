import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '@/db/client'
import { bareRepositories } from '@/testing/bare-repositories'
import { gitOk } from '@/testing/git'
import { start } from './guildhall'

const zeros = '0'.repeat(40)

interface Pushed {
  ref: string
  before: string
  after: string
}

/** Returns the path of the only repository of a site. */
export async function repositoryIn(data: string): Promise<string> {
  const [path = ''] = await bareRepositories(data)
  return path
}

/** Starts the site as if a day had passed, and waits until the remaining pushes are settled. */
export async function settlePushes(environment: Record<string, string>): Promise<void> {
  const folder = join(environment.GUILDHALL_DATA_DIR ?? '', 'repositories', 'pushes')
  await makeOld(folder)
  const guildhall = await start(environment)
  await expect.poll(() => readdir(folder), { timeout: 30_000 }).toEqual([])
  await guildhall.end('SIGTERM')
}

// Makes every remaining push old enough to count as interrupted, or, if Git recorded nothing for it, as
// abandoned.
async function makeOld(folder: string): Promise<void> {
  const then = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const key of await readdir(folder)) {
    const directory = join(folder, key)
    for (const name of await readdir(directory)) await utimes(join(directory, name), then, then)
    await utimes(directory, then, then)
  }
}

export async function refsIn(repository: string): Promise<[ref: string, tip: string][]> {
  const text = await gitOk(['--git-dir', repository, 'for-each-ref', '--format=%(refname) %(objectname)'])
  return text.split('\n').map(line => line.split(' ') as [string, string])
}

/** Returns the data of all recorded push events. */
export async function recordedPushes(db: Db): Promise<Pushed[]> {
  const rows = await db.selectFrom('events').select('data').where('kind', '=', 'git.pushed').execute()
  return rows.map(row => row.data as Pushed)
}

/** Returns the commit that a ref points to after all recorded pushes, applied one after another. */
export function recordedHistory(pushes: readonly Pushed[], ref: string): string {
  const steps = new Map(pushes.filter(push => push.ref === ref).map(push => [push.before, push.after]))
  let at = zeros
  for (let next = steps.get(at); next !== undefined; next = steps.get(at)) {
    steps.delete(at)
    at = next
  }
  return at
}
