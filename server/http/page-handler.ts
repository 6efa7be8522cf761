import type { IncomingMessage, ServerResponse } from 'node:http'

/** Function that renders pages: Next's request handler, or a substitute in tests. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
