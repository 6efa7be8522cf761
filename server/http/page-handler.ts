import type { IncomingMessage, ServerResponse } from 'node:http'

/** What renders pages: Next, or whatever a test puts in its place. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
