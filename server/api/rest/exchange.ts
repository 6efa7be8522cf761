import type { RequestCtx } from '@/server/trpc/init'
import type { Input } from './procedure-input'
import type { Endpoint } from './route-table'

/** A REST request in progress, from the gate to the presenter. */
export interface Exchange {
  endpoint: Endpoint
  /** Normalized path without the prefix `/api/v1`. */
  path: string
  /** Query string without the question mark. */
  query: string
  input: Input
}

/** Context of procedures in a REST request, with the exchange for the presenter. */
export interface RestCtx extends RequestCtx {
  exchange: Exchange
}
