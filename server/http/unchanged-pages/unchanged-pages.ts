import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type openPageProcedures, procedureAt } from '@/server/api/trpc/page-procedures'
import { createBoundedCache } from '@/server/kernel/bounded-cache'
import type { PageExchange } from '@/server/kernel/page-exchange'
import { acceptedCoding } from '../coding'
import { commonHeaders } from '../kept-pages/page'
import { type NotedCall, NotedCalls } from './noted-calls'

const maxBytes = 8 * 1024 * 1024
/** Bounds what no procedure returns: times in words. */
const maxAgeMs = 60_000
const maxUrlLength = 300

/** A request for a page that the same person may have opened before. */
export interface Opening {
  /** Notes what the page is rendered from. */
  calls: NotedCalls
  /** Sends the page that was kept, if all that it shows is the same. Returns whether it was sent. */
  sendKept(exchange: PageExchange, response: ServerResponse): Promise<boolean>
  /** Keeps the page that was rendered for this request, unless another request could get another page. */
  keep(exchange: PageExchange, response: ServerResponse, compressed: Buffer): void
}

/** Pages that were sent to people who are signed in, in the memory of this process. */
export interface UnchangedPages {
  /** Returns undefined for requests whose pages are rendered always. */
  open(request: IncomingMessage): Opening | undefined
}

interface Kept {
  calls: NotedCall[]
  headers: OutgoingHttpHeaders
  compressed: Buffer
}

/**
 * Keeps pages of people who are signed in. Before one is sent again, everything that it was rendered from is read
 * again, as the person who asks for it, and compared. So it is as current as one that is rendered anew.
 */
export function createUnchangedPages(openProcedures: typeof openPageProcedures): UnchangedPages {
  const pages = createBoundedCache<Kept>({ maxSize: maxBytes, maxAgeMs })
  setInterval(() => pages.removeOld(), maxAgeMs).unref()

  async function isUnchanged(
    { calls: noted }: Kept,
    calls: NotedCalls,
    { headers }: IncomingMessage,
    exchange: PageExchange,
  ): Promise<boolean> {
    const reader = { get: (name: string) => headers[name]?.toString() ?? null }
    const procedures = await openProcedures(reader, exchange, () => undefined)
    for (const call of noted) {
      // Outcomes of calls that fail are compared as well.
      await Promise.allSettled([procedureAt(procedures, call.path)(call.input)])
      if (!calls.confirms(call)) return false
    }
    return true
  }

  return {
    open(request) {
      const key = keyOf(request)
      if (key === undefined) return undefined
      const calls = new NotedCalls()
      return {
        calls,
        async sendKept(exchange, response) {
          const kept = pages.get(key)
          // Whatever fails now fails again while the page is rendered, which says so.
          if (!kept || !(await isUnchanged(kept, calls, request, exchange).catch(() => false))) return false
          for (const [name, value] of Object.entries(kept.headers)) {
            if (value !== undefined) response.setHeader(name, value)
          }
          response.setHeader('Content-Length', kept.compressed.length)
          response.writeHead(200).end(kept.compressed)
          return true
        },
        keep(exchange, response, compressed) {
          const noted = calls.all()
          const isWhole = response.statusCode === 200 && !exchange.isIncomplete && !exchange.isAbsent
          const isPage = String(response.getHeader('content-type')).startsWith('text/html')
          if (!noted || !isWhole || !isPage || response.hasHeader('set-cookie')) return
          const headers = commonHeaders(response.getHeaders())
          pages.set(key, { calls: noted, headers, compressed }, compressed.length + 300 * noted.length + 2000)
        },
      }
    },
  }
}

// Headers that differ between requests, and that no page reads.
const passing =
  /^(?:accept-encoding|cache-control|connection|if-.*|pragma|priority|referer|sec-.*|upgrade-insecure-requests)$/

/** Returns a hash of everything that a page can be rendered from, or undefined for requests without a session. */
function keyOf({ method, url = '/', headers }: IncomingMessage): string | undefined {
  // Data for a page that is open already says when it was read.
  if (method !== 'GET' || url.length > maxUrlLength || headers.rsc !== undefined) return undefined
  if (!headers.cookie?.includes('guildhall_session=')) return undefined
  const coding = acceptedCoding(headers['accept-encoding'])
  if (!coding) return undefined
  const lasting = Object.entries(headers).filter(([name]) => !passing.test(name))
  const text = JSON.stringify([url, coding.name, lasting.sort(([one], [other]) => (one < other ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url')
}
