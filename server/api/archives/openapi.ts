import type { OpenAPIObject } from 'trpc-openapi'
import { correctOperation, type Operation } from '../rest/openapi-operation'

const at = '/repos/{owner}/{repo}'
const anyRevision = 'A tag, branch, or full or abbreviated commit ID.'

/** Documents the endpoints of archives, which have no procedures. */
export function documentArchives(document: OpenAPIObject): void {
  const files = 'Download the files in a branch, tag, or commit'
  const name = parameter(
    'archive',
    'path',
    `${anyRevision.slice(0, -1)}, followed by \`.zip\`, \`.tar.gz\`, or \`.bundle\`.`,
  )
  const ref = parameter('ref', 'path', anyRevision)
  add(document, 'repos-getArchive', `${at}/archive/{archive}`, files, [name, paths])
  add(document, 'repos-getTarball', `${at}/tarball/{ref}`, `${files} as \`.tar.gz\``, [ref, paths])
  add(document, 'repos-getZipball', `${at}/zipball/{ref}`, `${files} as \`.zip\``, [ref, paths])
  add(document, 'repos-getBundle', `${at}/bundle/{ref}`, 'Download the history as a bundle for `git clone`', [
    ref,
  ])
}

type Parameter = NonNullable<Operation['parameters']>[number]

function parameter(name: string, where: 'path' | 'query', description?: string): Parameter {
  return {
    name,
    in: where,
    required: where === 'path',
    schema: { type: 'string' },
    ...(description ? { description } : {}),
  }
}

const paths: Parameter = {
  ...parameter('path', 'query', 'A file or directory to pack; everything if absent. Not for bundles.'),
  schema: { type: 'array', items: { type: 'string' }, maxItems: 100 },
}

function add(
  document: OpenAPIObject,
  operationId: string,
  path: string,
  summary: string,
  own: Parameter[],
): void {
  const operation: Operation = {
    operationId,
    summary,
    tags: ['repository'],
    parameters: [parameter('owner', 'path'), parameter('repo', 'path'), ...own],
  }
  correctOperation(operation, {
    method: 'GET',
    path,
    tag: 'repository',
    summary,
    scopes: ['repository'],
    anonymous: true,
    errors: {
      400: 'The format is unknown, or a path is invalid.',
      403: 'You do not have read access to the code.',
      404: 'The repository, ref, or path does not exist or is not visible to you.',
    },
  })
  operation.responses = {
    ...operation.responses,
    200: {
      description: 'The archive.',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
    304: { description: 'The archive identified by `If-None-Match` is for the same commit.' },
  }
  document.paths = { ...document.paths, [path]: { get: operation } }
}
