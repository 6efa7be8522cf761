import type { TRPCError } from '@trpc/server'
import type { RequestCtx } from '@/server/trpc/init'
import type { Input } from '../gate'
import type { Endpoint } from '../route-table'

/** One REST call under way, from the gate to the presenter. */
export interface Exchange {
  endpoint: Endpoint
  /** Normalized, without the prefix. */
  path: string
  /** Without its question mark. */
  query: string
  input: Input
  error?: TRPCError
}

/** What procedures get as their context, with the exchange beside it for the presenter. */
export interface RestCtx extends RequestCtx {
  exchange: Exchange
}

/**
 * The request as the library wants it. It tells a web request from Node's by `instanceof Request`, but building a
 * real one for every call costs more than the library itself, so only the prototype is borrowed.
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
