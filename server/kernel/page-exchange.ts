import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceCtx } from './ctx'
import type { DomainError } from './errors'
import { singleton } from './singleton'

/** Data exchanged between our HTTP server and a page that Next renders. */
export interface PageExchange extends Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'disconnected'> {
  /** Set by the page if it cannot be rendered at present. */
  unavailable?: DomainError
}

/**
 * Passes the page exchange through Next, which calls the page on behalf of our server. There is no exchange
 * under plain Next.
 */
export const pageExchanges = singleton('page-exchanges', () => new AsyncLocalStorage<PageExchange>())
