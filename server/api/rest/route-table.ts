import { forEachOpenApiProcedure, getPathRegExp, type OpenApiMethod } from 'trpc-openapi'
import { z } from 'zod'
import type { Meta } from '@/server/trpc/rest'
import { appRouter } from '../root'

/** One projected endpoint: what the gate and the presenter need to know of it. */
export interface Endpoint {
  method: OpenApiMethod
  path: string
  meta: Required<Pick<Meta, 'openapi' | 'rest'>>
  pathFields: ReadonlySet<string>
  /** Fields that arrive in the body; empty where a body means nothing. */
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

/** Tells whether the endpoint of a normalized path reads its body as it comes. */
export function takesStream(method: string, path: string): boolean {
  return streamed.some(
    ({ endpoints, pattern }) => pattern.test(path) && endpoints.get(method)?.meta.rest.body !== undefined,
  )
}

/** One spelling for a last value that may hold slashes: escaped, as in any other value. */
export function escapeTail(path: string): string {
  const [, before, value] = tails.map(tail => tail.exec(path)).find(match => match) ?? []
  return before && value ? before + value.replaceAll('/', '%2F') : path
}

// The library reads a path as browsers do, dot segments and all: it must not arrive at another endpoint than we found.
const wouldBeRewritten = /[\\#]|\/(?:\.|%2e){1,2}(?=\/|$)/i

/** The endpoint of a normalized path, or the methods the path knows when this is none of them. */
export function findEndpoint(method: string, path: string): Endpoint | { allowed: string[] } | undefined {
  if (wouldBeRewritten.test(path)) return undefined
  const allowed = new Set<string>()
  // As in the library, the first pattern that fits and has the method wins.
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
