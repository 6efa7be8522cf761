import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const path = '/repos/{owner}/{repo}/git/commits/{sha}.{diffType}'
const summary = 'Get a commit as a diff or patch'

const parameter = (name: string, schema: object = {}) => ({
  name,
  in: 'path' as const,
  required: true,
  schema: { type: 'string' as const, ...schema },
})

const compare = '/repos/{owner}/{repo}/compare/{basehead}'
const text = { 'text/plain': { schema: { type: 'string' as const } } }

/** Documents the endpoint of commits as text, which has no procedure, and comparisons as text. */
export function documentDiffs(document: OpenAPIObject): void {
  const operation: Operation = {
    operationId: 'code-getCommitText',
    summary,
    tags: ['repository'],
    parameters: [
      parameter('owner'),
      parameter('repo'),
      parameter('sha'),
      parameter('diffType', { enum: ['diff', 'patch'] }),
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
      404: 'The repository or commit does not exist or is not visible to you.',
    },
  })
  operation.responses = {
    ...operation.responses,
    200: {
      description: 'Text that `git apply` (diff) or `git am` (patch) reads.',
      content: text,
    },
    304: { description: 'The text identified by `If-None-Match` is that of this commit.' },
  }
  document.paths = { ...document.paths, [path]: { get: operation } }
  const compared = document.paths[compare]?.get?.responses?.['200'] as { content?: object }
  compared.content = { ...compared.content, ...text }
}
