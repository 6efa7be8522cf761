import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const path = '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs'
const summary = 'Download the log of a job'

const parameter = (name: string, type: 'string' | 'integer') => ({
  name,
  in: 'path' as const,
  required: true,
  schema: { type },
})

/** Documents the endpoint of a job's log, which has no procedure. */
export function documentJobLogs(document: OpenAPIObject): void {
  const operation: Operation = {
    operationId: 'actions-getJobLog',
    summary,
    tags: ['actions'],
    parameters: [parameter('owner', 'string'), parameter('repo', 'string'), parameter('job_id', 'integer')],
  }
  correctOperation(operation, {
    method: 'GET',
    path,
    tag: 'actions',
    summary,
    scopes: ['repository'],
    anonymous: true,
    errors: {
      403: 'You may not read the workflow runs.',
      404: 'No such repository or job, not visible to you, or the job was not started yet.',
    },
  })
  const description = 'A line for each row, which begins with its time. While the job runs, the rows so far.'
  operation.responses = {
    ...operation.responses,
    200: { description, content: { 'text/plain': { schema: { type: 'string' } } } },
  }
  document.paths = { ...document.paths, [path]: { get: operation } }
}
