import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceCtx } from './ctx'
import type { DomainError } from './errors'
import { singleton } from './singleton'

/** What our HTTP server and the page it has Next render tell each other. */
export interface PageExchange extends Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'disconnected'> {
  /** Set by the page: why it cannot be rendered now. */
  unavailable?: DomainError
}

/** Carries it past Next, which stands between the two. Empty under plain Next. */
export const pageExchanges = singleton('page-exchanges', () => new AsyncLocalStorage<PageExchange>())
