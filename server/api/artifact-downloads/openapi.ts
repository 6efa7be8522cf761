import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const path = '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip'

const parameter = (name: string, type: 'string' | 'integer') => ({
  name,
  in: 'path' as const,
  required: true,
  schema: { type },
})

const query = (name: string, type: 'string' | 'integer') => ({
  ...parameter(name, type),
  in: 'query' as const,
})

const parameters = [
  parameter('owner', 'string'),
  parameter('repo', 'string'),
  parameter('artifact_id', 'integer'),
]
const file = { schema: { type: 'string' as const, format: 'binary' } }
const location = {
  Location: { description: 'The URL of the file, valid for one hour.', schema: { type: 'string' as const } },
}

/** Adds the endpoints of an artifact's file to the OpenAPI document. They have no procedure. */
export function documentArtifactDownloads(document: OpenAPIObject): void {
  const redirect = operation('artifacts-getZip', 'Download an artifact through a redirect to its file', {
    scopes: ['repository'],
    errors: {
      403: 'You do not have permission to read workflow runs.',
      404: 'The repository or artifact does not exist or is not visible to you, or the artifact has expired.',
    },
  })
  const { 200: _, ...failures } = redirect.responses ?? {}
  redirect.responses = {
    302: {
      description: 'Redirects to the file, which can be downloaded without a token.',
      headers: location,
    },
    ...failures,
  }
  const raw = operation('artifacts-getZipRaw', 'Download an artifact using a signed URL', {
    errors: {
      401: 'The signature is invalid, or the link has expired.',
      404: 'The artifact was deleted or has expired.',
    },
  })
  raw.parameters = [...parameters, query('sig', 'string'), query('expires', 'integer')]
  // The signed URL is valid under the repository's current name only, so it never redirects.
  const { 301: __, 307: ___, ...answers } = raw.responses ?? {}
  raw.responses = {
    ...answers,
    200: {
      description: 'The file, with its own content type.',
      content: { 'application/octet-stream': file },
    },
    206: { description: 'The part of the file requested by `Range`.' },
  }
  document.paths = { ...document.paths, [path]: { get: redirect }, [`${path}/raw`]: { get: raw } }
}

function operation(
  operationId: string,
  summary: string,
  rest: { scopes?: ['repository']; errors: Record<number, string> },
): Operation {
  const made: Operation = { operationId, summary, tags: ['actions'], parameters }
  correctOperation(made, { ...rest, method: 'GET', path, tag: 'actions', summary, anonymous: true })
  return made
}
