import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { tokenFor } from '../seed'
import type { ServerData } from '../server-process'

/** A running job of a workflow run, with the token that it uploads artifacts with. */
export interface BenchJob {
  runId: string
  jobId: string
  token: string
}

export interface Owner {
  name: string
  token: string
}

/**
 * Creates a user with an access token. The embedded database can be opened only once, so call this before the
 * server starts.
 */
export async function makeOwner(data: ServerData): Promise<Owner> {
  const { db, close } = await openDatabase(data)
  const { id, name } = await makeUser(db)
  const token = await tokenFor(db, id)
  await close()
  return { name, token }
}

/** Creates a repository and a workflow run with this many jobs over the REST API, and starts the jobs. */
export async function startJobs(url: string, { name, token }: Owner, count: number): Promise<BenchJob[]> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/api/v1${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return await response.json()
  }
  await call('POST', '/user/repos', { name: 'bench', auto_init: true })
  const numbers = Array.from({ length: count }, (_, number) => number).join()
  const workflow = [
    'on: push',
    'jobs:',
    '  bench:',
    '    runs-on: any',
    `    strategy: { matrix: { number: [${numbers}] } }`,
    '    steps: [{ run: make }]',
  ].join('\n')
  const actions = `/repos/${name}/bench/actions`
  const run = await call('POST', `${actions}/runs`, { workflow })
  const { jobs } = await call('GET', `${actions}/runs/${run.id}/jobs?limit=50`)
  return await Promise.all(
    (jobs as { id: number }[]).map(async ({ id }) => {
      const task = await call('POST', `${actions}/jobs/${id}/tasks`)
      return { runId: String(run.id), jobId: String(id), token: task.token }
    }),
  )
}
