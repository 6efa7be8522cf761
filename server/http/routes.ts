import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowingOthers, findMount, type Mount, otherMethods } from '@/server/api/mount'
import { errorAnswer, presentError } from '@/server/api/rest/presenter'
import { readOnlySite, supersededBy } from '@/server/kernel/domain-error-of'
import type { DomainError } from '@/server/kernel/errors'
import type { Connection, Handler } from '@/server/kernel/http/call'
import { remember } from '@/server/kernel/remember'
import type { Services } from '@/server/services'
import { createKeptPages } from './kept-pages/kept-pages'
import { answerCall } from './node-adapter'
import type { PageHandler } from './page-handler'
import { answerPage } from './pages'
import type { UnchangedPages } from './unchanged-pages/unchanged-pages'

/** A handler for requests, with the properties that the server needs. */
export interface Route {
  /** Label for its requests in metrics and logs. */
  mount: string
  /** Whether the deadline for receiving the request body starts only after the response. */
  deadlineAfterAnswer: boolean
  answer(request: IncomingMessage, response: ServerResponse, exchange: HttpExchange): Promise<void>
}

interface HttpExchange {
  connection: Connection
  /** Headers that every response has: names and values in turns. */
  headers: readonly string[]
  /** Tells a client that sent `Expect: 100-continue` to send its body. */
  invite(): void
}

/**
 * Creates all handlers once and returns a function that selects the route for a request: a mount, or the
 * pages if no mount matches.
 */
export function createRoutes(
  services: Services,
  mounts: readonly Mount[],
  pages: PageHandler,
  unchanged?: UnchangedPages,
): (path: string, request: IncomingMessage) => Route {
  const handlers = new Map(
    mounts.map(mount => [mount, allowingOthers(mounts, mount, mount.createHandler(services))]),
  )
  const routeTo = (name: string, handle: Handler, deadlineAfterAnswer = false): Route => ({
    mount: name,
    deadlineAfterAnswer,
    answer: (request, response, { connection, headers, invite }) =>
      answerCall(request, response, call => handle(call, connection), { headers, invite }),
  })
  const { baseUrl } = services.config
  const refused = (status: number, message: string, headers: Record<string, string> = {}): Route =>
    routeTo('none', async () => errorAnswer(status, message, baseUrl, headers))
  const noPath = refused(400, 'the request has no valid path')
  const twoHosts = refused(400, 'the request has more than one Host header')
  const noHost = refused(400, 'the Host header of the request is invalid')
  const refuseChange = ({ name, refuse = inForm }: Mount, error: DomainError): Route =>
    routeTo(name, async (call, connection) => refuse(error, call, { ...services, ...connection }))
  const closedBy = (): DomainError | undefined =>
    services.outdated ? supersededBy() : services.config.readOnly ? readOnlySite() : undefined
  const wrongMethod = refused(405, 'pages support only GET, HEAD, and POST', { Allow: 'GET, HEAD, POST' })
  const kept = createKeptPages(services, pages)
  const page: Route = {
    mount: 'page',
    deadlineAfterAnswer: false,
    answer: async (request, response, { connection, headers, invite }) => {
      invite()
      for (let at = 0; at < headers.length; at += 2) {
        response.setHeader(headers[at] as string, headers[at + 1] as string)
      }
      await answerPage(pages, { kept, unchanged, baseUrl }, request, response, connection)
    },
  }
  return (path, request) => {
    if (namesTwoHosts(request)) return twoHosts
    if (!isHost(request.headers.host)) return noHost
    // `OPTIONS *` and the absolute form used with proxies are not supported.
    if (!path.startsWith('/')) return noPath
    const method = request.method ?? 'GET'
    const mount = findMount(mounts, path, method, queryOf(request.url ?? ''))
    const closed = mount && mayChange(mount.name, method) ? closedBy() : undefined
    if (mount && closed) return refuseChange(mount, closed)
    const handle = mount && handlers.get(mount)
    if (handle) return routeTo(mount.name, handle, mount.pacesBody?.(path, method))
    const others = otherMethods(mounts, path).join(', ')
    if (others)
      return refused(405, `The method ${method} is not allowed here; use ${others}.`, { Allow: others })
    // Next responds to paths it cannot decode and to unknown methods with errors in its own format.
    if (!isDecodable(path)) return noPath
    return pageMethods.has(method) ? page : wrongMethod
  }
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

const inForm: NonNullable<Mount['refuse']> = (error, _, { config, log, requestId }) =>
  presentError(error, { baseUrl: config.baseUrl, log, requestId })

// Git and the pages' procedures also read with POST and refuse changes in their own format, with
// `requireWritable` or through the database. Git LFS refuses all requests.
const mayChange = (mount: string, method: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && !['git', 'lfs', 'trpc'].includes(mount)

// A form that is submitted before its scripts have loaded uses POST, so that the input does not appear in the
// URL.
const pageMethods = new Set(['GET', 'HEAD', 'POST'])

// A proxy in front may have used the other Host header.
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

// HTTP/1.0 requests, such as the checks of load balancers, may omit the Host header.
const isHost = (host: string | undefined): boolean => !host || isHostName(host)

const isHostName = remember(host => /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`))

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
