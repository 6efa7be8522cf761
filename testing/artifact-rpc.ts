import type { TestJob } from './actions'
import type { Site } from './site'

const service = 'github.actions.results.api.v1.ArtifactService'

export interface RpcAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into all parts of it.
  body: any
}

/** Returns the run and job IDs that every request of a job contains. */
export const idsOf = ({ job }: Pick<TestJob, 'job'>): Record<string, string> => ({
  workflow_run_backend_id: String(job.run_id),
  workflow_job_run_backend_id: String(job.id),
})

/** Calls a method of the artifact service for a job, as GitHub's client does. */
export async function rpc(
  site: Pick<Site, 'url'>,
  job: TestJob,
  method: string,
  fields: Record<string, unknown> = {},
): Promise<RpcAnswer> {
  return await rawRpc(site, methodPath(method), {
    body: JSON.stringify({ ...idsOf(job), ...fields }),
    headers: { authorization: `Bearer ${job.token}` },
  })
}

/** Returns the URL path of a method of the artifact service. */
export const methodPath = (method: string): string => `/twirp/${service}/${method}`

/**
 * Sends a request to the artifact service unchanged. By default, it is a POST with JSON and without a token.
 */
export async function rawRpc(
  site: Pick<Site, 'url'>,
  path: string,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: HeadersInit; body?: BodyInit } = {},
): Promise<RpcAnswer> {
  const sent = new Headers(headers)
  if (!sent.has('content-type')) sent.set('content-type', 'application/json')
  const response = await fetch(`${site.url}${path}`, { method, headers: sent, ...(body && { body }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type') === 'application/json'
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes,
  }
}
