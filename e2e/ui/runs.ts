import { createHash } from 'node:crypto'
import { call } from './people'
import { expect } from './site'

export interface StartedRun {
  id: number
  /** IDs of the run's jobs, by name. */
  jobs: Record<string, number>
}

/** Creates a workflow run in the repository at this path. */
export async function createRun(
  site: string,
  login: string,
  path: string,
  { workflow, title }: { workflow: string; title: string },
): Promise<StartedRun> {
  const runs = `/repos${path}/actions/runs`
  const { id } = await call<{ id: number }>(site, 'POST', runs, { workflow, title }, login)
  const { jobs } = await call<{ jobs: { id: number; name: string }[] }>(
    site,
    'GET',
    `${runs}/${id}/jobs`,
    undefined,
    login,
  )
  return { id, jobs: Object.fromEntries(jobs.map(({ id, name }) => [name, id])) }
}

/** A running job, whose work the test does through the API. */
export interface RunningJob {
  create(name: string, type?: string): Promise<string>
  upload(name: string, type: string, bytes: Buffer | string): Promise<void>
  end(conclusion: 'success' | 'failure'): Promise<void>
}

/** Starts a job through the API, without a runner. */
export async function startJob(
  site: string,
  login: string,
  path: string,
  { id: run, jobs }: StartedRun,
  name: string,
): Promise<RunningJob> {
  const actions = `/repos${path}/actions`
  const job = jobs[name]
  const task = await call<{ id: number; token: string }>(
    site,
    'POST',
    `${actions}/jobs/${job}/tasks`,
    {},
    login,
  )
  const rpc = async <T>(method: string, fields: object): Promise<T> => {
    const response = await fetch(`${site}/twirp/github.actions.results.api.v1.ArtifactService/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${task.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        workflow_run_backend_id: String(run),
        workflow_job_run_backend_id: String(job),
        ...fields,
      }),
    })
    const text = await response.text()
    expect(response.ok, `${method}: ${text}`).toBe(true)
    return JSON.parse(text)
  }
  const create = async (name: string, type = 'application/zip'): Promise<string> => {
    const fields = { name, version: 7, mime_type: type }
    return (await rpc<{ signed_upload_url: string }>('CreateArtifact', fields)).signed_upload_url
  }
  return {
    create,
    async upload(name, type, content) {
      const bytes = Buffer.from(content)
      const put = await fetch(await create(name, type), {
        method: 'PUT',
        headers: { 'x-ms-blob-type': 'BlockBlob' },
        body: bytes,
      })
      expect(put.status, await put.text()).toBe(201)
      const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      await rpc('FinalizeArtifact', { name, size: String(bytes.length), hash })
    },
    async end(conclusion) {
      await call(site, 'PATCH', `${actions}/tasks/${task.id}`, { conclusion }, login)
    },
  }
}
