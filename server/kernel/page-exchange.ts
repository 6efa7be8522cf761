import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceCtx } from './ctx'
import type { DomainError } from './errors'
import { singleton } from './singleton'

/** What the front door and the page it has Next render tell each other. */
export interface PageExchange extends Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'gone'> {
  /** Set by the page: why it cannot be rendered now. */
  unavailable?: DomainError
}

/** Next stands between the two and passes nothing on. Empty where no front door is. */
export const pageExchanges = singleton('page-exchanges', () => new AsyncLocalStorage<PageExchange>())
