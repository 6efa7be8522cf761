import type { OpenApiMethod } from 'trpc-openapi'
import type { JobScope } from '@/server/kernel/job-permissions'
import type { ScopeCategory } from '@/server/kernel/scopes'

export interface RestOptions {
  /** Tag of the endpoint in the OpenAPI document. */
  tag: string
  summary: string
  /**
   * Id of the operation from before the procedure moved, because generated clients name calls after it. By
   * default it is built from the procedure's path.
   */
  operationId?: string
  /** Status of success; 200 by default. A 204 requires a procedure without a result. */
  status?: 200 | 201 | 202 | 204
  /** Status of success if the result is null. */
  statusOfNull?: 204
  /** Status of success if the result has this key. */
  statusWith?: { key: string; status: 201 }
  /** Token scope categories, all of which are required; none by default. */
  scopes?: readonly ScopeCategory[]
  /**
   * Level of the required scopes if it does not follow from the method: a GET that returns a secret needs
   * write.
   */
  level?: 'write'
  /** The permission with which jobs can also make the change, or several of which one is enough; if absent, none can. */
  job?: JobScope | readonly JobScope[]
  /** Whether tokens limited to public data are refused. */
  private?: boolean
  /** Whether the endpoint can be called without credentials. */
  anonymous?: boolean
  /** Whether the result is the same for every caller until the process ends. The procedure has no input. */
  constant?: true
  /** What the result shows, if it is kept for anonymous callers until that changes. */
  shows?: 'site' | 'repositories'
  /**
   * Pagination of the result: the response body contains the items, and the count and links, or the cursor,
   * are sent in headers.
   */
  page?: 'links' | 'count' | 'cursor'
  /**
   * Whether the page is also described by the headers X-Page, X-PerPage, X-Total, X-PageCount, and X-HasMore,
   * which clients of some lists read.
   */
  pageNumbers?: true
  /** Field of the result that is also sent as X-Total-Count. */
  totalIn?: string
  /** Whether the response has an ETag, and 304 answers a request that has it already. */
  etag?: true
  /** Whether the page is sent as `{ ok, data }` instead of a bare list. */
  envelope?: boolean
  /** Field of the body that holds the items of the page; by default, the body is the list. */
  itemsIn?: string
  /** Inputs read from the query string of a request with a body. All other inputs are read from the body. */
  query?: readonly string[]
  /** Fields of a JSON body for which null is a value; for all others it means that the field is omitted. */
  nulls?: readonly string[]
  /**
   * Set if the body is a file, or a form with a file in this field, which the procedure reads as a stream
   * (`ctx.upload`). All inputs are in the path and the query string.
   */
  body?: { formField: string }
  /**
   * Whether a JSON body can be 32 MiB, because it contains files in Base64. Long texts are replaced by names in
   * `ctx.spilled`.
   */
  largeBody?: true
  /** Whether a DELETE has a body. Its fields can also be in the query. */
  bodyOfDelete?: true
  /** Other status of success, which the procedure can set as `ctx.out.status`. */
  otherStatus?: 201
  /** Whether the last path parameter can contain slashes, which some clients send unescaped. */
  tail?: boolean
  /**
   * Whether a name in the path can be a former one, which redirects to the current one. Below an organization
   * or a repository it always can.
   */
  formerNames?: true
  /** Documented errors in addition to those that every endpoint shares. */
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

/**
 * Maps a procedure to a REST endpoint: returns the metadata that the OpenAPI library and our presenter read.
 */
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
