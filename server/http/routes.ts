import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowingOthers, findMount, type Mount, otherMethods } from '@/server/api/mount'
import { errorAnswer, presentError } from '@/server/api/rest/presenter'
import { supersededBy } from '@/server/kernel/domain-error-of'
import type { Connection, Handler } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'
import { answerCall } from './node-adapter'
import type { PageHandler } from './page-handler'
import { answerPage } from './pages'

/** Who answers a request. */
export interface Route {
  /** The label of its requests in metrics and logs. */
  mount: string
  /** The body may come for as long as there is no answer; only then the deadline for it begins. */
  deadlineAfterAnswer: boolean
  /** `invite` tells a client that waits to be told so that its body is wanted. */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
    invite: () => void,
  ): Promise<void>
}

/** Finds who answers a request: a mount, or the pages for what nobody else knows. All handlers are made here, once. */
export function createRoutes(
  services: Services,
  mounts: readonly Mount[],
  pages: PageHandler,
): (path: string, request: IncomingMessage) => Route {
  const handlers = new Map(
    mounts.map(mount => [mount, allowingOthers(mounts, mount, mount.createHandler(services))]),
  )
  const routeTo = (name: string, handle: Handler, deadlineAfterAnswer = false): Route => ({
    mount: name,
    deadlineAfterAnswer,
    answer: (request, response, connection, invite) =>
      answerCall(request, response, call => handle(call, connection), invite),
  })
  const { baseUrl } = services.config
  const refused = (status: number, message: string, headers: Record<string, string> = {}): Route =>
    routeTo('none', async () => errorAnswer(status, message, baseUrl, headers))
  const noPath = refused(400, 'the request names no path')
  const twoHosts = refused(400, 'the request names more than one Host')
  const noHost = refused(400, 'the Host of the request is none')
  const outdated = ({ name, refuse = inForm }: Mount): Route =>
    routeTo(name, async (call, connection) => refuse(supersededBy(), call, { ...services, ...connection }))
  const wrongMethod = refused(405, 'pages answer GET, HEAD and POST', { Allow: 'GET, HEAD, POST' })
  const page: Route = {
    mount: 'page',
    deadlineAfterAnswer: false,
    answer: async (request, response, connection, invite) => {
      invite()
      await answerPage(pages, request, response, connection)
    },
  }
  return (path, request) => {
    if (namesTwoHosts(request)) return twoHosts
    if (!isHost(request.headers.host)) return noHost
    // `OPTIONS *` and the absolute form that proxies take are not for us.
    if (!path.startsWith('/')) return noPath
    const method = request.method ?? 'GET'
    const mount = findMount(mounts, path, method)
    if (services.outdated && mount && mayChange(mount.name, method)) return outdated(mount)
    const handle = mount && handlers.get(mount)
    if (handle) return routeTo(mount.name, handle, mount.pacesBody?.(path, method))
    const others = otherMethods(mounts, path).join(', ')
    if (others) return refused(405, `${method} is not possible here; use ${others}`, { Allow: others })
    // Next answers a path it cannot decode, and methods it does not know, with errors of its own.
    if (!isDecodable(path)) return noPath
    return pageMethods.has(method) ? page : wrongMethod
  }
}

const inForm: NonNullable<Mount['refuse']> = (error, _, { config, log, requestId }) =>
  presentError(error, { baseUrl: config.baseUrl, log, requestId })

// Git and the pages' procedures also read with POST, and refuse changes in their own form: `requireWritable`, the database
// itself. Git LFS is refused whatever it asks.
const mayChange = (mount: string, method: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && !['git', 'lfs', 'trpc'].includes(mount)

// A form sent before its scripts are there arrives by POST, so that what was typed is in no address.
const pageMethods = new Set(['GET', 'HEAD', 'POST'])

// Whoever is in front of us may have believed the other one.
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

// Requests of HTTP/1.0, such as the checks of load balancers, need not name one.
function isHost(host: string | undefined): boolean {
  return !host || (/^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`))
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
