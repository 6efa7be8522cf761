import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const path = '/repos/{owner}/{repo}/archive/{archive}'
const summary = 'Download the files in a branch, tag, or commit'

const parameter = (name: string, description?: string) => ({
  name,
  in: 'path' as const,
  required: true,
  schema: { type: 'string' as const },
  ...(description ? { description } : {}),
})

const file = { schema: { type: 'string' as const, format: 'binary' } }

/** Documents the archive endpoint, which has no procedure. */
export function documentArchives(document: OpenAPIObject): void {
  const operation: Operation = {
    operationId: 'repos-getArchive',
    summary,
    tags: ['repository'],
    parameters: [
      parameter('owner'),
      parameter('repo'),
      parameter(
        'archive',
        'A tag, branch, or full or abbreviated commit ID, followed by `.zip` or `.tar.gz`.',
      ),
    ],
  }
  correctOperation(operation, {
    method: 'GET',
    path,
    tag: 'repository',
    summary,
    scopes: ['repository'],
    anonymous: true,
    errors: {
      403: 'You do not have read access to the code.',
      404: 'The repository or ref does not exist or is not visible to you.',
    },
  })
  operation.responses = {
    ...operation.responses,
    200: { description: 'The archive.', content: { 'application/zip': file, 'application/gzip': file } },
    304: { description: 'The archive identified by `If-None-Match` is for the same commit.' },
  }
  document.paths = { ...document.paths, [path]: { get: operation } }
}
