import { randomUUID } from 'node:crypto'
import type { Handler } from '@/server/kernel/http/call'
import { callOf, responseOf } from '@/server/kernel/http/web-call'
import { singleton } from '@/server/kernel/singleton'
import { processServices } from '@/server/services'
import { allowingOthers, findMount, type Mount } from './mount'
import { noEndpointAnswer, presentError } from './rest/presenter'

/**
 * Creates the route handler through which plain Next serves these mounts. Next does not provide the client's
 * address. Behind our own server the handler responds with 404, because Next resolves path spellings that
 * could bypass the server.
 */
export function nextRoute(...mounts: readonly Mount[]): (request: Request) => Promise<Response> {
  return async request => {
    const { config, log, ownsHttp } = await processServices()
    const call = callOf(request)
    const mount = ownsHttp ? undefined : findMount(mounts, call.path, call.method)
    if (!mount) return responseOf(noEndpointAnswer(call, config.baseUrl), call.method)
    const requestId = randomUUID()
    try {
      const handle = allowingOthers(mounts, mount, await handlerOf(mount))
      const answer = await handle(call, { remoteAddress: '', requestId, disconnected: () => request.signal })
      return responseOf(answer, call.method)
    } catch (error) {
      return responseOf(presentError(error, { baseUrl: config.baseUrl, log, requestId }), call.method)
    }
  }
}

const handlerOf = (mount: Mount): Promise<Handler> =>
  singleton(handlerName(mount), async () => mount.createHandler(await processServices()))

/** Returns the process-wide singleton name of a mount's handler. */
export const handlerName = ({ name }: Mount): string => `mount ${name}`
