import type { TRPCError } from '@trpc/server'
import type { RequestCtx } from '@/server/trpc/init'
import type { Input } from '../gate'
import type { Endpoint } from '../route-table'

/** A REST request in progress, from the gate to the presenter. */
export interface Exchange {
  endpoint: Endpoint
  /** Normalized path without the prefix `/api/v1`. */
  path: string
  /** Query string without the question mark. */
  query: string
  input: Input
  error?: TRPCError
}

/** Context of procedures in a REST request, with the exchange for the presenter. */
export interface RestCtx extends RequestCtx {
  exchange: Exchange
}

/**
 * Stand-in for the web request that the library expects. The library recognizes web requests by `instanceof
 * Request`, but creating a real one costs more than the library itself, so this class has only the prototype
 * of `Request`.
 */
export class LibraryRequest {
  readonly signal = undefined

  constructor(
    readonly method: string,
    readonly url: string,
    readonly body: Input,
    readonly query: Input,
    readonly headers: Headers,
    readonly ctx: RestCtx,
  ) {}
}
Object.setPrototypeOf(LibraryRequest.prototype, Request.prototype)
