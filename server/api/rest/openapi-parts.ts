import type { OpenAPIObject } from 'trpc-openapi'

/** Part of the OpenAPI document: some operations and the schemas that they reference. */
export type OpenApiPart = Pick<OpenAPIObject, 'servers' | 'paths' | 'components'>

interface Operation {
  operationId?: string
  [key: string]: unknown
}

/** Returns all operations with only the fields that a list shows: ID, summary, tags, and security. */
export function outlineOf({ servers, paths = {} }: OpenAPIObject): OpenApiPart {
  const outlined = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(operationsOf(methods).map(([method, operation]) => [method, inList(operation)])),
  ])
  return part(servers, Object.fromEntries(outlined), {})
}

const inList = ({ operationId, summary, tags, security }: Operation): Operation => ({
  operationId,
  summary,
  tags,
  security,
  responses: {},
})

/** Returns one operation with its schemas, or undefined if there is no operation with the ID. */
export function partOf(document: OpenAPIObject, id: string): OpenApiPart | undefined {
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of operationsOf(methods)) {
      if (operation.operationId !== id) continue
      return part(document.servers, { [path]: { [method]: operation } }, schemasOf(document, operation))
    }
  }
  return undefined
}

const operationsOf = (methods: object): [method: string, Operation][] => Object.entries(methods)

// The cast is safe, because the values are copied from a valid document.
const part = (servers: OpenAPIObject['servers'], paths: object, schemas: object): OpenApiPart =>
  ({ servers, paths, components: { schemas } }) as OpenApiPart

const prefix = '#/components/schemas/'

/** Returns the schemas that an operation references directly or indirectly. */
function schemasOf(document: OpenAPIObject, operation: Operation): Record<string, unknown> {
  const all = (document.components?.schemas ?? {}) as Record<string, unknown>
  const found: Record<string, unknown> = {}
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(prefix)) {
        look(inner)
        continue
      }
      const name = inner.slice(prefix.length)
      if (name in found) continue
      found[name] = all[name]
      look(all[name])
    }
  }
  look(operation)
  return found
}
