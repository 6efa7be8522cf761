import type { IncomingMessage, ServerResponse } from 'node:http'
import next from 'next'
import { singleton } from '@/server/kernel/singleton'

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Returns the request handler of Next.js with the built pages, as any Next.js host runs them, without
 * Guildhall's HTTP server.
 */
export function plainNext(): Promise<NextHandler> {
  return singleton('plain-next', prepare)
}

async function prepare(): Promise<NextHandler> {
  const app = next({ dev: false, dir: process.cwd() })
  await app.prepare()
  return app.getRequestHandler()
}
