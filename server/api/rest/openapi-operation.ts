import type { OpenAPIObject } from 'trpc-openapi'
import { errorTable } from '@/server/kernel/errors'
import type { RestOptions } from '@/server/trpc/rest'

type PathItem = NonNullable<OpenAPIObject['paths']>[string]
export type Operation = NonNullable<PathItem['get']>
type Responses = NonNullable<Operation['responses']>
type Schema = Record<string, unknown>

const descriptions: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; processing may continue in the background.',
  204: 'Success; the response has no body.',
  400: 'The request cannot be processed as sent.',
  401: 'Credentials are missing or invalid.',
  403: 'The caller or token is not allowed to do this.',
  404: 'The resource does not exist or is not visible to the caller.',
  413: 'The body is too large.',
  422: 'An input is missing or invalid.',
  429: 'Too many failed sign-in attempts; Retry-After indicates when to try again.',
  431: 'The URL and headers together are too large.',
  500: 'Internal error; the message contains a request ID to report.',
  503: 'The database or storage is currently unavailable; Retry-After indicates when to try again.',
}

/** Corrects an operation to match the gate and presenter: status, body, headers, errors, and credentials. */
export function correctOperation(
  operation: Operation,
  rest: RestOptions & { method: string; path: string },
): void {
  // First, because an operation with all inputs in the query has no body, and so no errors of a body.
  moveQueryFields(operation, rest.query ?? [])
  letBodyBeLeftOut(operation)
  if (rest.body) operation.requestBody = fileBody(rest.body.formField)
  operation.responses = {
    ...successOf(operation, rest),
    ...redirectsOf(rest),
    ...errorsOf(operation, rest),
  }
  operation.security = rest.anonymous ? [{}, { token: [] }, { basic: [] }] : [{ token: [] }, { basic: [] }]
  if (rest.scopes?.length) {
    const level = rest.level ?? (rest.method === 'GET' ? 'read' : 'write')
    const needed = rest.scopes.map(category => `\`${level}:${category}\``).join(' and ')
    operation.description = `Requires a token with the scope ${needed}.`
  }
}

function successOf(operation: Operation, rest: RestOptions): Responses {
  const status = rest.status ?? 200
  const description = descriptions[status] ?? ''
  if (status === 204) return { 204: { description } }
  const generated = operation.responses?.['200'] as { content?: Record<string, { schema?: Schema }> }
  const schema = generated?.content?.['application/json']?.schema ?? {}
  const success = {
    description,
    content: { 'application/json': { schema: rest.page ? itemsOf(schema, rest) : schema } },
    ...(rest.page ? { headers: pageHeaders(rest.page) } : {}),
  }
  const other = rest.statusWith?.status ?? rest.otherStatus
  if (other) {
    return { [other]: { ...success, description: descriptions[other] ?? '' }, [status]: success } as Responses
  }
  if (!rest.statusOfNull) return { [status]: success } as Responses
  success.content['application/json'].schema = withoutNull(schema)
  const empty = { description: descriptions[rest.statusOfNull] ?? '' }
  return { [status]: success, [rest.statusOfNull]: empty } as Responses
}

function withoutNull(schema: Schema): Schema {
  const [result] = (schema.anyOf as Schema[]).filter(({ type }) => type !== 'null')
  return result ?? schema
}

function itemsOf(page: Schema, rest: RestOptions): Schema {
  const items = (page.properties as Record<string, Schema>).items as Schema
  const { itemsIn } = rest
  if (itemsIn) return { type: 'object', required: [itemsIn], properties: { [itemsIn]: items } }
  if (!rest.envelope) return items
  return { type: 'object', required: ['ok', 'data'], properties: { ok: { type: 'boolean' }, data: items } }
}

function pageHeaders(kind: 'links' | 'count' | 'cursor'): Schema {
  const next = { description: 'Link to the next page; absent on the last page.', schema: { type: 'string' } }
  if (kind === 'cursor') return { Link: next }
  const count = {
    'X-Total-Count': { description: 'Total number of entries.', schema: { type: 'integer' } },
  }
  if (kind === 'count') return count
  return {
    ...count,
    Link: { description: 'Links to the next, last, first, and previous pages.', schema: { type: 'string' } },
  }
}

// The presenter redirects after renames below organizations and repositories, and where `formerNames` is set.
function redirectsOf({
  path,
  method,
  formerNames,
}: RestOptions & { method: string; path: string }): Responses {
  const responses: Responses = {}
  const isOfRepository = path.startsWith('/repos/{owner}/{repo}')
  if (isOfRepository || /^\/orgs?\/\{org\}/.test(path) || formerNames) {
    responses[307] = redirect(
      'The account was renamed; Location contains the same request under its current name.',
    )
  }
  if (isOfRepository) {
    responses[method === 'GET' ? 301 : 308] = redirect(
      'The repository was renamed; Location contains the same request under its current name.',
    )
  }
  return responses
}

const redirect = (description: string): Responses[string] => ({
  description,
  headers: { Location: { schema: { type: 'string' } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function errorsOf(operation: Operation, rest: RestOptions & { method: string; path: string }): Responses {
  const statuses = new Set([401, 403, 429, 431, 500, 503, ...Object.keys(rest.errors ?? {}).map(Number)])
  if (rest.path.includes('{')) statuses.add(404)
  if (operation.requestBody) for (const status of [413, 422]) statuses.add(status)
  // 431 is not in the table, because the server detects it before a request is handled.
  const known = new Set<number>([431, ...Object.values(errorTable).map(row => row.status)])
  return Object.fromEntries(
    [...statuses]
      .filter(status => known.has(status))
      .sort((a, b) => a - b)
      .map(status => [
        status,
        {
          description: rest.errors?.[status] ?? descriptions[status] ?? '',
          content: { 'application/json': { schema: errorSchemaOf(status, rest) } },
        },
      ]),
  )
}

function errorSchemaOf(status: number, rest: RestOptions): Schema {
  if (status !== 500 || !rest.envelope) return { $ref: '#/components/schemas/Error' }
  return {
    type: 'object',
    required: ['ok', 'error'],
    properties: { ok: { type: 'boolean', const: false }, error: { type: 'string' } },
  }
}

function fileBody(formField: string): Operation['requestBody'] {
  const form = {
    type: 'object' as const,
    required: [formField],
    properties: {
      [formField]: binary,
      name: { type: 'string' as const, description: 'Name of the file.' },
    },
  }
  return {
    required: true,
    content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: binary } },
  }
}

const binary = { type: 'string' as const, format: 'binary', description: 'Content of the file.' }

interface RequestBody {
  required?: boolean
  content?: Record<string, { schema?: Schema }>
}

// The library treats a missing body as an empty object, but documents every body as required.
function letBodyBeLeftOut(operation: Operation): void {
  const body = operation.requestBody as RequestBody | undefined
  const fields = body?.content?.['application/json']?.schema?.required as string[] | undefined
  if (body && !fields?.length) body.required = false
}

// The library documents every input of an operation with a body as part of the body.
function moveQueryFields(operation: Operation, names: readonly string[]): void {
  const body = operation.requestBody as RequestBody | undefined
  const content = body?.content?.['application/json']
  const properties = content?.schema?.properties as Record<string, Schema> | undefined
  if (!properties) return
  for (const name of names) {
    const schema = properties[name]
    if (!schema) continue
    operation.parameters = [...(operation.parameters ?? []), { name, in: 'query', schema }]
    delete properties[name]
  }
  if (Object.keys(properties).length === 0) delete operation.requestBody
}
