import type { IncomingMessage, ServerResponse } from 'node:http'
import next from 'next'
import { singleton } from '@/server/kernel/singleton'

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Next on its own, as any host would run the built pages: our own server is not involved. */
export function plainNext(): Promise<NextHandler> {
  return singleton('plain-next', prepare)
}

async function prepare(): Promise<NextHandler> {
  const app = next({ dev: false, dir: process.cwd() })
  await app.prepare()
  return app.getRequestHandler()
}
