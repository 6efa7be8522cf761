import { Readable } from 'node:stream'
import { isTrackedEnvelope } from '@trpc/server'
import { requireOwnPage } from '@/server/auth/same-origin'
import { invalid } from '@/server/kernel/errors'
import { type Call, type Connection, readOnly } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { FollowInput } from '@/server/live/schema'
import type { Services } from '@/server/services'
import type { Mount } from '../mount'
import { appRouter } from '../root'
import { errorShape, sessionContext } from './handler'

/**
 * Mount of the subscription `live.follow`, which sends server-sent events in the format of the tRPC client.
 * It does not use the library's own chain of web streams, which takes more memory than everything else about
 * an open stream. Errors are sent as events, because browsers hide the body of an error response to an event
 * stream from the page.
 */
export const liveMount: Mount = {
  name: 'live',
  match: path => path === '/api/trpc/live.follow',
  createHandler: services =>
    readOnly(async (call, connection) => ({
      status: 200,
      headers,
      body: streamOf(services, call, connection),
    })),
}

// Proxies between the server and the browser must forward events immediately.
const headers = {
  ...securityHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

// Proxies close a connection without traffic after a minute, and the client should detect a broken one
// sooner.
const pingMs = 20_000
const clientOptions = { reconnectAfterInactivityMs: 50_000 }

function streamOf(services: Services, call: Call, connection: Connection): Readable {
  const disconnected = new AbortController()
  const pings = setInterval(() => {
    if (stream.readableLength === 0) stream.push(eventOf('ping'))
  }, pingMs)
  let wanted: (() => void) | undefined
  const stream = new Readable({
    read: () => wanted?.(),
    destroy(error, done) {
      clearInterval(pings)
      disconnected.abort()
      wanted?.()
      done(error)
    },
  })
  /** Writes an event and waits while the buffer is full. */
  const write = async (text: string): Promise<void> => {
    if (stream.push(text) || stream.destroyed) return
    await new Promise<void>(resolve => {
      wanted = resolve
    })
  }
  const notifyAll = async (): Promise<void> => {
    try {
      const messages = await open(services, call, connection, disconnected.signal)
      await write(eventOf('connected', JSON.stringify(clientOptions)))
      for await (const message of messages) {
        if (isTrackedEnvelope(message))
          await write(`data: ${JSON.stringify(message[1])}\nid: ${message[0]}\n\n`)
      }
      stream.push(eventOf('return'))
    } catch (error) {
      const explained = explainError(error, { log: services.log, requestId: connection.requestId })
      stream.push(eventOf('serialized-error', JSON.stringify(errorShape(explained))))
    }
    stream.push(null)
  }
  void notifyAll()
  return stream
}

async function open(
  services: Services,
  { headers, query }: Call,
  connection: Connection,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  requireOwnPage(headers, services.config.baseUrl)
  const ctx = await sessionContext(services, headers, connection)
  return await appRouter.createCaller(ctx, { signal }).live.follow(inputOf(query))
}

function inputOf(query: string): FollowInput {
  try {
    return FollowInput.parse(JSON.parse(new URLSearchParams(query).get('input') ?? ''))
  } catch (cause) {
    throw invalid('The input for live.follow is invalid.', { cause })
  }
}

const eventOf = (name: string, data = ''): string => `event: ${name}\ndata: ${data}\n\n`
