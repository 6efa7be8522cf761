import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { Connection } from '../rest/handler'
import type { Services } from '../services'
import { createRoutes, type Route } from './routes'

export interface Listening {
  mount: string
  listener(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Puts Node's requests before the portable handlers; what is known of each connection is looked up by its request. */
export function createListeners(
  services: Services,
  connections: WeakMap<object, Required<Connection>>,
): (path: string) => Listening | undefined {
  const routeOf = createRoutes(services)
  const made = new Map<Route, Listening>()
  return path => {
    const route = routeOf(path)
    if (!route) return undefined
    const known = made.get(route) ?? listen(route)
    made.set(route, known)
    return known
  }

  function listen(route: Route): Listening {
    const listener = getRequestListener(
      (request, { incoming }) => {
        const connection = connections.get(incoming) ?? { remoteAddress: '', requestId: '' }
        return answer(route, request, connection)
      },
      { overrideGlobalObjects: false },
    )
    return { mount: route.mount, listener }
  }

  async function answer(
    route: Route,
    request: Request,
    connection: Required<Connection>,
  ): Promise<Response> {
    try {
      return await route.handle(request, connection)
    } catch (error) {
      const { requestId } = connection
      services.log.error({ err: error, requestId }, 'handler failed')
      const body = { message: `internal error (request ${requestId})`, url: `${services.config.baseUrl}/api/docs` }
      return Response.json(body, { status: 500, headers: securityHeaders })
    }
  }
}
