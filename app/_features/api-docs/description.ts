/** The parts of an OpenAPI document that the API documentation page uses. */
export interface ApiDescription {
  servers?: { url: string }[]
  paths: Record<string, Record<string, DescribedCall>>
  components?: { schemas?: Record<string, Schema> }
}

interface DescribedCall {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Answer>
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema?: Schema }>

export interface Answer {
  description?: string
  content?: Content
  headers?: Record<string, { description?: string }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Endpoint of the API: an HTTP method of a path. */
export interface ApiCall {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /**
   * Whether authentication is required (`needed`), optional but returns more data (`welcome`), or has no
   * effect (`none`).
   */
  credentials: 'needed' | 'welcome' | 'none'
  parameters: Parameter[]
  body: { type: string; schema: Schema; required: boolean } | undefined
  answers: [status: string, answer: Answer][]
}

export interface CallGroup {
  title: string
  calls: ApiCall[]
}

/** Tags of the most used endpoints, which are listed first. */
const firstTags = ['user', 'keys', 'tokens', 'repository', 'organization', 'actions']

const rankOf = (tag: string): number =>
  (firstTags.indexOf(tag) + firstTags.length + 1) % (firstTags.length + 1)

/**
 * Groups the endpoints by their first tag. The most used groups come first, the others in the order of the
 * document.
 */
export function groupsOf(description: ApiDescription): CallGroup[] {
  const groups = new Map<string, ApiCall[]>()
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const tag = call.tags?.[0] ?? 'other'
      groups.set(tag, [...(groups.get(tag) ?? []), apiCall(path, method, call)])
    }
  }
  return [...groups]
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([tag, calls]) => ({ title: tag.charAt(0).toUpperCase() + tag.slice(1), calls }))
}

function apiCall(path: string, method: string, call: DescribedCall): ApiCall {
  const [type, content] = Object.entries(call.requestBody?.content ?? {})[0] ?? []
  return {
    id: call.operationId,
    method: method.toUpperCase(),
    path,
    summary: call.summary ?? '',
    description: call.description ?? '',
    credentials: credentialsOf(call.security ?? []),
    parameters: call.parameters ?? [],
    body: type
      ? { type, schema: content?.schema ?? {}, required: call.requestBody?.required ?? false }
      : undefined,
    answers: Object.entries(call.responses),
  }
}

function credentialsOf(security: Record<string, unknown>[]): ApiCall['credentials'] {
  if (security.length === 0) return 'none'
  return security.some(way => Object.keys(way).length === 0) ? 'welcome' : 'needed'
}

/**
 * Filters the groups by a search text. An endpoint matches if its group title, ID, method, path, and summary
 * together contain every word of the text. Groups without matches are left out.
 */
export function narrowed(groups: readonly CallGroup[], text: string): CallGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .map(group => ({
      ...group,
      calls: group.calls.filter(({ id, method, path, summary }) => {
        const said = `${group.title} ${id} ${method} ${path} ${summary}`.toLowerCase()
        return words.every(word => said.includes(word))
      }),
    }))
    .filter(({ calls }) => calls.length > 0)
}

type Schemas = Record<string, Schema>

/**
 * Returns the schema that a `$ref` refers to, or the schema itself if it has no `$ref`. Returns an empty
 * schema for an unknown reference.
 */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** Describes the type of a schema, such as "array of Team" or "string, at most 100 characters". */
export function typeName(schema: Schema, schemas: Schemas): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.map(value => JSON.stringify(value)).join(', ')}`
  if (!schema.type) {
    const kinds = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    return [...new Set(kinds.map(kind => typeName(kind, schemas)))].join(' or ') || 'any type'
  }
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type
  if (type === 'array') return `array of ${schema.items ? typeName(schema.items, schemas) : 'any type'}`
  const { maxLength, format, default: preset } = schema
  return [
    format && format !== 'int64' ? `${type} (${format})` : type,
    ...(type === 'string' && maxLength ? [`at most ${maxLength.toLocaleString('en-US')} characters`] : []),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ].join(', ')
}

const sampleTexts: Record<string, string> = {
  email: 'ada@example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  uri: 'https://example.com',
  url: 'https://example.com',
}

/** Returns a sample value that matches the schema. Recursive schemas are expanded to a depth of three. */
export function sampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  if (schema.$ref) return sampleOf(resolved(schema, schemas), schemas, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum.find(value => value !== '') ?? schema.enum[0]
  const [type = schema.properties ? 'object' : undefined] = [schema.type].flat()
  if (type === 'array') return schema.items && depth < 3 ? [sampleOf(schema.items, schemas, depth + 1)] : []
  if (type === 'object') {
    if (depth > 3) return {}
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, schemas, depth + 1)]))
  }
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return false
  if (type === 'string') return sampleTexts[schema.format ?? ''] ?? 'string'
  if (type === 'null') return null
  const [first] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return first ? sampleOf(first, schemas, depth) : null
}

/**
 * Returns the initial request body: the required fields, with empty strings for free text. Optional fields
 * are left out so that an unchanged body cannot overwrite them.
 */
export function blankOf(schema: Schema, schemas: Schemas): unknown {
  const { type, format, properties = {}, required = [], ...rest } = resolved(schema, schemas)
  if (type === 'object' || (!type && required.length > 0)) {
    return Object.fromEntries(required.map(name => [name, blankOf(properties[name] ?? {}, schemas)]))
  }
  const isSpecified = rest.const !== undefined || rest.default !== undefined || rest.enum !== undefined
  return type === 'string' && !format && !isSpecified ? '' : sampleOf(schema, schemas)
}
