import { callOf, responseOf } from '@/server/kernel/http/web-call'
import { existingSingleton } from '@/server/kernel/singleton'
import type { Services } from '@/server/services'
import { noEndpointAnswer } from './rest/presenter'

/**
 * Creates the route handler through which plain Next serves the mounts with these names. Behind our own server
 * the handler responds with 404, because Next resolves path spellings that could bypass the server.
 */
export function nextRoute(...names: readonly string[]): (request: Request) => Promise<Response> {
  return async request => {
    const services = await existingSingleton<Promise<Services>>('services')
    if (services?.ownsHttp) {
      const call = callOf(request)
      return responseOf(noEndpointAnswer(call, services.config.baseUrl), call.method)
    }
    // Imported on demand: it is a second copy of the whole server, which our own server never needs.
    const { answerRequest } = await import('./next-mounts')
    return await answerRequest(names, request)
  }
}
