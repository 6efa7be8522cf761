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

/** Adds the endpoint of a job's log to the OpenAPI document. It has no procedure. */
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
      403: 'You do not have permission to read workflow runs.',
      404: 'The repository or job does not exist or is not visible to you, or the job has not started.',
    },
  })
  const description =
    'One line per log row, each starting with its time. While the job is running, contains the rows received so far.'
  operation.responses = {
    ...operation.responses,
    200: { description, content: { 'text/plain': { schema: { type: 'string' } } } },
  }
  document.paths = { ...document.paths, [path]: { get: operation } }
}
