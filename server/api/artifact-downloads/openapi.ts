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
  Location: { description: 'Where it is, for an hour.', schema: { type: 'string' as const } },
}

/** Documents the endpoints of an artifact's file, which have no procedure. */
export function documentArtifactDownloads(document: OpenAPIObject): void {
  const redirect = operation('artifacts-getZip', 'Get the file of an artifact, by a redirect', {
    scopes: ['repository'],
    errors: {
      403: 'You may not read the workflow runs.',
      404: 'No such repository or artifact, not visible to you, or the artifact has expired.',
    },
  })
  const { 200: _, ...failures } = redirect.responses ?? {}
  redirect.responses = {
    302: { description: 'The file is elsewhere, and needs no token there.', headers: location },
    ...failures,
  }
  const raw = operation('artifacts-getZipRaw', 'Get the file of an artifact by a signed address', {
    errors: {
      401: 'The signature is wrong, or the link has expired.',
      404: 'The artifact was deleted or has expired.',
    },
  })
  raw.parameters = [...parameters, query('sig', 'string'), query('expires', 'integer')]
  // The signature counts, whatever the repository is called.
  const { 301: __, 307: ___, ...answers } = raw.responses ?? {}
  raw.responses = {
    ...answers,
    200: {
      description: 'The file, under its own content type.',
      content: { 'application/octet-stream': file },
    },
    206: { description: 'The part of the file that `Range` asks for.' },
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
