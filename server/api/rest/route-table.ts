import { forEachOpenApiProcedure, getPathRegExp, type OpenApiMethod } from 'trpc-openapi'
import { z } from 'zod'
import type { Meta } from '@/server/trpc/rest'
import { appRouter } from '../root'

/** REST endpoint of a procedure, with the metadata that the gate and presenter need. */
export interface Endpoint {
  method: OpenApiMethod
  path: string
  meta: Required<Pick<Meta, 'openapi' | 'rest'>>
  pathFields: ReadonlySet<string>
  /** Fields of the body; empty if the endpoint ignores bodies. */
  bodyFields: Readonly<Record<string, z.ZodType>>
}

interface Resource {
  template: string
  pattern: RegExp
  endpoints: Map<string, Endpoint>
}

const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method)

function build(): Resource[] {
  const resources = new Map<string, Resource>()
  forEachOpenApiProcedure(appRouter._def.procedures as never, ({ procedure, meta }) => {
    const { openapi, rest } = meta as unknown as Endpoint['meta']
    const resource = resources.get(openapi.path) ?? {
      template: openapi.path,
      pattern: getPathRegExp(openapi.path),
      endpoints: new Map(),
    }
    resources.set(openapi.path, resource)
    const pathFields = new Set(Array.from(openapi.path.matchAll(/\{(.+?)\}/g), match => match[1] as string))
    resource.endpoints.set(openapi.method, {
      method: openapi.method,
      path: openapi.path,
      meta: { openapi, rest },
      pathFields,
      bodyFields: hasBody(openapi.method) ? bodyFieldsOf(procedure._def.inputs, pathFields, rest.query) : {},
    })
  })
  return [...resources.values()]
}

function bodyFieldsOf(
  inputs: readonly unknown[],
  pathFields: ReadonlySet<string>,
  queryFields: readonly string[] = [],
): Record<string, z.ZodType> {
  const shape = Object.assign({}, ...inputs.map(input => (input instanceof z.ZodObject ? input.shape : {})))
  const elsewhere = (name: string) => pathFields.has(name) || queryFields.includes(name)
  return Object.fromEntries(
    Object.entries(shape as Record<string, z.ZodType>).filter(([name]) => !elsewhere(name)),
  )
}

const resources = build()

const tails = resources.flatMap(({ endpoints, template }) => {
  const isTail = [...endpoints.values()].some(endpoint => endpoint.meta.rest.tail)
  return isTail
    ? [new RegExp(`^(${template.replace(/\{[^}]*\}$/, '').replace(/\{.+?\}/g, '[^/]+')})(.+)$`)]
    : []
})

const streamed = resources.filter(({ endpoints }) =>
  [...endpoints.values()].some(endpoint => endpoint.meta.rest.body),
)

/** Returns whether the endpoint of a normalized path reads its body as a stream. */
export function takesStream(method: string, path: string): boolean {
  return streamed.some(
    ({ endpoints, pattern }) => pattern.test(path) && endpoints.get(method)?.meta.rest.body !== undefined,
  )
}

/** Escapes the slashes in a path's last value, for endpoints that accept them unescaped. */
export function escapeTail(path: string): string {
  const [, before, value] = tails.map(tail => tail.exec(path)).find(match => match) ?? []
  return before && value ? before + value.replaceAll('/', '%2F') : path
}

// The library resolves dot segments as browsers do, and must not call another endpoint than the one found
// here.
const wouldBeRewritten = /[\\#]|\/(?:\.|%2e){1,2}(?=\/|$)/i

/**
 * Returns the endpoint of a method and normalized path, the allowed methods for other methods, or undefined.
 */
export function findEndpoint(method: string, path: string): Endpoint | { allowed: string[] } | undefined {
  if (wouldBeRewritten.test(path)) return undefined
  const allowed = new Set<string>()
  // As in the library, the first matching pattern with the method wins.
  for (const resource of resources) {
    if (!resource.pattern.test(path)) continue
    const endpoint = resource.endpoints.get(method)
    if (endpoint) return endpoint
    for (const known of resource.endpoints.keys()) allowed.add(known)
  }
  if (allowed.size === 0) return undefined
  if (allowed.has('GET')) allowed.add('HEAD')
  return { allowed: [...allowed].sort() }
}
