import type { OpenAPIObject } from 'trpc-openapi'

/** Part of the document: some calls, and the schemas that they name. */
export type OpenApiPart = Pick<OpenAPIObject, 'servers' | 'paths' | 'components'>

interface Operation {
  operationId?: string
  [key: string]: unknown
}

/** Each call with what is said of it in a list, without what it takes to send it. */
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

/** All about one call; undefined where there is none of this id. */
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

// Copied from one document, so it is as well formed as that.
const part = (servers: OpenAPIObject['servers'], paths: object, schemas: object): OpenApiPart =>
  ({ servers, paths, components: { schemas } }) as OpenApiPart

const prefix = '#/components/schemas/'

/** The schemas that a part names, and those that these name. */
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
