import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceCtx } from './ctx'
import type { DomainError } from './errors'
import { singleton } from './singleton'

/** Takes part in the calls that a page makes while it is rendered. */
export interface ProcedureCalls {
  /** Makes a call of the procedure at a path such as `keys.browse`, or returns what it returned before. */
  query(path: string, input: unknown, call: () => Promise<unknown>): Promise<unknown>
}

/** Data that our HTTP server and a page rendered by Next.js exchange during one request. */
export interface PageExchange
  extends Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'disconnected' | 'pageReads'> {
  /** Absent if nobody needs to know of the page's calls. */
  calls?: ProcedureCalls
  /** Whether the page is fetched as data for a page that is open already, and not as a document. */
  isData?: boolean
  /** Set by the page if it shows less than it will later. */
  isIncomplete?: boolean
  /** Set by a page that says what is missing, and is sent with the status 404. */
  isAbsent?: boolean
  /** Set by the page if it cannot be rendered at present. */
  unavailable?: DomainError
}

/**
 * Async-local storage with the `PageExchange` of the current request. It is empty if Next.js runs without our
 * own HTTP server.
 */
export const pageExchanges = singleton('page-exchanges', () => new AsyncLocalStorage<PageExchange>())
