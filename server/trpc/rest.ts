import type { OpenApiMethod } from 'trpc-openapi'
import type { ScopeCategory } from '@/server/kernel/scopes'

export interface RestOptions {
  /** Section of the API document. */
  tag: string
  summary: string
  /** Kept from before the procedure moved, as generated clients name calls by it; otherwise made of its path. */
  operationId?: string
  /** Of success; 200 when left out. A 204 needs a procedure without a result. */
  status?: 200 | 201 | 202 | 204
  /** Of success where the result is null. */
  statusOfNull?: 204
  /** Of success where the result has this key. */
  statusWith?: { key: string; status: 201 }
  /** Token scope categories, all needed; none when left out. */
  scopes?: readonly ScopeCategory[]
  /** Of those scopes, where it is not what the method says: a GET that gives a secret needs write. */
  level?: 'write'
  /** Closed to tokens limited to public data. */
  private?: boolean
  /** Anyone may call it, without credentials. */
  anonymous?: boolean
  /** The result is a page: the wire shows its items; the count and the links, or the cursor's, go into headers. */
  page?: 'links' | 'count' | 'cursor'
  /** A page shown as `{ ok, data }` instead of a bare list. */
  envelope?: boolean
  /** Inputs read from the query of a call that has a body; all else of such a call is in the body. */
  query?: readonly string[]
  /**
   * The body is a file, or a form with a file in this field, which the procedure reads as it comes (`ctx.upload`). All inputs
   * are in the path and the query.
   */
  body?: { formField: string }
  /** The last value of the path may hold slashes, which some clients send as they are. */
  tail?: boolean
  /** A name in its path may be a former one, which leads on to the present; below an organization or a repository it always may. */
  formerNames?: true
  /** Failures worth documenting besides the ones every call shares. */
  errors?: Record<number, string>
}

export interface Meta {
  openapi?: {
    method: OpenApiMethod
    path: `/${string}`
    summary: string
    operationId?: string
    tags: string[]
    protect: boolean
  }
  rest?: RestOptions & { status: 200 | 201 | 202 | 204; scopes: readonly ScopeCategory[] }
  [key: string]: unknown
}

/** Projects a procedure onto REST: the meta that the library and our presenter read. */
export function rest(method: OpenApiMethod, path: `/${string}`, options: RestOptions): Meta {
  return {
    openapi: {
      method,
      path,
      summary: options.summary,
      ...(options.operationId && { operationId: options.operationId }),
      tags: [options.tag],
      protect: !options.anonymous,
    },
    rest: { ...options, status: options.status ?? 200, scopes: options.scopes ?? [] },
  }
}
