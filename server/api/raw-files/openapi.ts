import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const summaries = {
  raw: 'Download a file',
  media: 'Download a file (alias of raw)',
}

const parameter = (name: string, where: 'path' | 'query', description?: string) => ({
  name,
  in: where,
  required: where === 'path',
  schema: { type: 'string' as const },
  ...(description ? { description } : {}),
})

/** Documents the endpoints of files, which have no procedures. */
export function documentRawFiles(document: OpenAPIObject): void {
  for (const verb of ['raw', 'media'] as const) {
    const path = `/repos/{owner}/{repo}/${verb}/{path}`
    const summary = summaries[verb]
    const operation: Operation = {
      operationId: `code-${verb === 'raw' ? 'getRaw' : 'getMedia'}`,
      summary,
      tags: ['repository'],
      parameters: [
        parameter('owner', 'path'),
        parameter('repo', 'path'),
        parameter(
          'path',
          'path',
          'Path of the file. Without `ref`, it can begin with the name of a branch or tag.',
        ),
        parameter(
          'ref',
          'query',
          'Name of a branch or tag, or a full commit ID. The default branch if absent.',
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
        400: 'No file of a repository can have this path.',
        403: 'You do not have read access to the code.',
        404: 'The repository, revision, or file does not exist or is not visible to you.',
      },
    })
    const content = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }
    operation.responses = {
      ...operation.responses,
      200: { description: 'The content of the file.', content },
      206: { description: 'The range of the content that the request asked for.', content },
      304: { description: 'The file identified by `If-None-Match` has this content.' },
      416: { description: 'The content has no such range.' },
    }
    document.paths = { ...document.paths, [path]: { get: operation } }
  }
}
