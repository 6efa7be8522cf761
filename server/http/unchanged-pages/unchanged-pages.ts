import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type openPageProcedures, procedureAt } from '@/server/api/trpc/page-procedures'
import { createBoundedCache } from '@/server/kernel/bounded-cache'
import type { PageExchange } from '@/server/kernel/page-exchange'
import { acceptedCoding } from '../coding'
import { commonHeaders } from '../kept-pages/page'
import { type NotedCall, NotedCalls } from './noted-calls'

const maxBytes = 8 * 1024 * 1024
const maxAgeMs = 60_000
const sweepMs = 10_000
const maxUrlLength = 300

/** A request for a page that the same person may have opened before. */
export interface Opening {
  /** All headers that the page is rendered from. */
  headers: IncomingHttpHeaders
  /** Notes what else the page is rendered from. */
  calls: NotedCalls
  /** Sends the page that was kept, if all that it shows is the same. Returns whether it was sent. */
  sendKept(exchange: PageExchange, response: ServerResponse): Promise<boolean>
  /** Keeps the page that was sent for this request, unless a later request could get another page. */
  keep(exchange: PageExchange, response: ServerResponse, compressed: Buffer): void
}

/** Pages that were sent to people who are signed in, in the memory of this process. */
export interface UnchangedPages {
  /** Returns undefined for requests whose pages are always rendered. */
  open(request: IncomingMessage): Opening | undefined
  /** Removes all pages to free their memory. */
  clear(): void
}

interface KeptPage {
  calls: NotedCall[]
  headers: OutgoingHttpHeaders
  compressed: Buffer
  /** In milliseconds since 1970. */
  until: number
}

/**
 * Keeps pages of people who are signed in. Before one is sent again, everything that it was rendered from is read
 * again, as the person who asks for it, and compared. So it is as current as one that is rendered anew.
 */
export function createUnchangedPages(openProcedures: typeof openPageProcedures): UnchangedPages {
  const pages = createBoundedCache<KeptPage>({ maxSize: maxBytes, maxAgeMs })
  setInterval(() => pages.removeOld(), sweepMs).unref()

  async function isUnchanged(
    kept: KeptPage,
    { headers, calls }: Opening,
    exchange: PageExchange,
  ): Promise<boolean> {
    if (kept.until <= Date.now()) return false
    const reader = { get: (name: string) => headers[name]?.toString() ?? null }
    const procedures = await openProcedures(reader, exchange, () => undefined)
    for (const call of kept.calls) {
      // What comes of calls that fail is compared as well.
      await Promise.allSettled([procedureAt(procedures, call.path)(call.input)])
      if (!calls.confirms(call)) return false
    }
    return true
  }

  return {
    open(request) {
      const headers = headersFor(request)
      const key = headers && keyOf(request, headers)
      if (!headers || key === undefined) return undefined
      const calls = new NotedCalls()
      const openedAt = Date.now()
      const opening: Opening = {
        headers,
        calls,
        async sendKept(exchange, response) {
          const kept = pages.get(key)
          // Whatever fails now fails again while the page is rendered, which says so.
          if (!kept || !(await isUnchanged(kept, opening, exchange).catch(() => false))) return false
          for (const [name, value] of Object.entries(kept.headers)) {
            if (value !== undefined) response.setHeader(name, value)
          }
          response.setHeader('Content-Length', kept.compressed.length)
          response.writeHead(200).end(kept.compressed)
          return true
        },
        keep(exchange, response, compressed) {
          const isWhole = response.statusCode === 200 && !exchange.isIncomplete && !exchange.isAbsent
          const isPage = String(response.getHeader('content-type')).startsWith('text/html')
          if (!isWhole || !isPage || response.hasHeader('set-cookie')) return
          // Otherwise, visitors could replace all pages with theirs.
          if (!calls.valueOf('sessions.getCurrent')) return
          const noted = calls.all()
          if (!noted) return
          const kept: KeptPage = {
            calls: noted,
            headers: commonHeaders(response.getHeaders()),
            // The compressor's buffer is larger.
            compressed: Buffer.from(new Uint8Array(compressed).buffer),
            until: calls.firstTimeAfter(openedAt),
          }
          // A call takes its key and its input, and about 300 bytes.
          const callBytes = noted.reduce((sum, call) => sum + 2 * call.key.length + 300, 0)
          pages.set(key, kept, compressed.length + callBytes + 2000)
        },
      }
      return opening
    },
    clear: () => pages.removeBelow(''),
  }
}

/** Returns the headers that pages read, or undefined for requests without a session and those that are no documents. */
function headersFor({ method, url = '', headers }: IncomingMessage): IncomingHttpHeaders | undefined {
  const { host, cookie, 'user-agent': agent } = headers
  // Data for a page that is open already says when it was read.
  if (method !== 'GET' || url.length > maxUrlLength || headers.rsc !== undefined) return undefined
  if (!cookie?.includes('guildhall_session=')) return undefined
  return { host, cookie, ...(agent !== undefined && { 'user-agent': agent }) }
}

/** Returns a hash of everything that a page is rendered from, except the calls that it makes. */
function keyOf({ url, headers: sent }: IncomingMessage, headers: IncomingHttpHeaders): string | undefined {
  const coding = acceptedCoding(sent['accept-encoding'])
  if (!coding) return undefined
  // Times are shown in words such as "3 minutes ago", which count minutes of the clock.
  const minute = Math.floor(Date.now() / 60_000)
  return createHash('sha256')
    .update(JSON.stringify([url, coding.name, minute, headers]))
    .digest('base64url')
}
