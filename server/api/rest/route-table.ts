import type { OpenApiMethod } from 'trpc-openapi'
import { z } from 'zod'
import type { RequestCtx } from '@/server/trpc/init'
import type { Meta } from '@/server/trpc/rest'
import { appRouter } from '../root'
import { type Input, procedureInput } from './procedure-input'

/** REST endpoint of a procedure, with the metadata that the gate and presenter need. */
export interface Endpoint {
  method: OpenApiMethod
  path: string
  meta: Required<Pick<Meta, 'openapi' | 'rest'>>
  pathFields: ReadonlySet<string>
  /** Fields of the body; empty if the endpoint ignores bodies. */
  bodyFields: Readonly<Record<string, z.ZodType>>
  /** Makes the input of the procedure from the input and the normalized path of a request. */
  inputOf(input: Input, path: string): Input | undefined
  /**
   * Calls the procedure.
   * @throws {TRPCError} as the procedure does.
   */
  call(ctx: RequestCtx, input: Input | undefined): Promise<unknown>
}

/** A procedure as the library keeps it. At runtime a router's procedures are a flat record by dotted name. */
interface Procedure {
  _def: { type: string; inputs: readonly unknown[]; meta?: Meta }
  (call: {
    path: string
    type: string
    ctx: RequestCtx
    getRawInput(): Promise<unknown>
    signal: undefined
    batchIndex: number
  }): Promise<unknown>
}

interface Resource {
  template: string
  pattern: RegExp
  endpoints: Map<string, Endpoint>
}

const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method)

function build(): Resource[] {
  const resources = new Map<string, Resource>()
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)
  for (const [name, procedure] of procedures) {
    const { openapi, rest } = procedure._def.meta ?? {}
    if (!openapi || !rest) continue
    const { method, path: template } = openapi
    const pattern = patternOf(template)
    const resource = resources.get(template) ?? { template, pattern, endpoints: new Map() }
    resources.set(template, resource)
    const { type, inputs } = procedure._def
    const pathFields = new Set(Array.from(template.matchAll(/\{(.+?)\}/g), match => match[1] as string))
    const fieldsOf = procedureInput(inputs, { hasBody: hasBody(method) })
    resource.endpoints.set(method, {
      method,
      path: template,
      meta: { openapi, rest },
      pathFields,
      bodyFields: hasBody(method) || rest.bodyOfDelete ? bodyFieldsOf(inputs, pathFields, rest.query) : {},
      inputOf: (input, path) => fieldsOf(input, pattern.exec(asInUrl(path))?.groups ?? {}),
      call: (ctx, input) =>
        procedure({
          path: name,
          type,
          ctx,
          getRawInput: async () => input,
          signal: undefined,
          batchIndex: 0,
        }),
    })
  }
  return [...resources.values()]
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\{(.+?)\}/g, '(?<$1>[^/]+)')}$`, 'i')

// Characters that clients should have escaped are escaped, so that values of paths have one form.
const asInUrl = (path: string): string =>
  /^[\w\-.~!$&'()*+,;=:@%/]*$/.test(path) ? path : new URL(`http://localhost${path}`).pathname

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

// There are hundreds of patterns, so only those with the same first name and number of slashes are tried.
const byShape = new Map<string, Resource[]>()
for (const resource of resources) {
  const shape = shapeOf(resource.template)
  byShape.set(shape, [...(byShape.get(shape) ?? []), resource])
}

function shapeOf(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  return `${rest.length} ${first.toLowerCase()}`
}

const tails = resources.flatMap(({ endpoints, template }) => {
  const isTail = [...endpoints.values()].some(endpoint => endpoint.meta.rest.tail)
  return isTail
    ? [new RegExp(`^(${template.replace(/\{[^}]*\}$/, '').replace(/\{.+?\}/g, '[^/]+')})(.+)$`)]
    : []
})

const streamed = resources.filter(({ endpoints }) =>
  [...endpoints.values()].some(({ meta }) => meta.rest.body || meta.rest.largeBody),
)

/** Returns whether the endpoint of a normalized path reads its body as a stream. */
export function takesStream(method: string, path: string): boolean {
  return streamed.some(({ endpoints, pattern }) => {
    const { body, largeBody } = endpoints.get(method)?.meta.rest ?? {}
    return (body !== undefined || largeBody === true) && pattern.test(path)
  })
}

/** Escapes the slashes in a path's last value, for endpoints that accept them unescaped. */
export function escapeTail(path: string): string {
  const [, before, value] = tails.map(tail => tail.exec(path)).find(match => match) ?? []
  return before && value ? before + value.replaceAll('/', '%2F') : path
}

// Browsers and proxies resolve dot segments, so such a path could mean another endpoint to them.
const wouldBeRewritten = /[\\#]|\/(?:\.|%2e){1,2}(?=\/|$)/i

/**
 * Returns the endpoint of a method and normalized path, the allowed methods for other methods, or undefined.
 */
export function findEndpoint(method: string, path: string): Endpoint | { allowed: string[] } | undefined {
  if (wouldBeRewritten.test(path)) return undefined
  const allowed = new Set<string>()
  // The first matching pattern with the method wins.
  for (const resource of byShape.get(shapeOf(path)) ?? []) {
    if (!resource.pattern.test(path)) continue
    const endpoint = resource.endpoints.get(method)
    if (endpoint) return endpoint
    for (const known of resource.endpoints.keys()) allowed.add(known)
  }
  if (allowed.size === 0) return undefined
  if (allowed.has('GET')) allowed.add('HEAD')
  return { allowed: [...allowed].sort() }
}
