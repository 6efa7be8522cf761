import { callOf, responseOf } from '@/server/kernel/http/call'
import { singleton } from '@/server/kernel/singleton'
import { processServices } from '@/server/services'
import { createRestHandler } from './handler'
import { openApiResponse } from './openapi'
import { errorAnswer } from './presenter'

const handler = () => singleton('rest-handler', async () => createRestHandler(await processServices()))

/** The REST API for hosting under plain Next. Next does not tell the client's address. */
export async function restRoute(request: Request): Promise<Response> {
  const { config, ownsHttp } = await processServices()
  // Next resolves spellings of the path that the front door does not; none may lead around it.
  if (ownsHttp) return responseOf(errorAnswer(404, 'not found', config.baseUrl))
  if (new URL(request.url).pathname === '/api/v1/openapi.json') return openApiResponse()
  return responseOf(
    await (await handler())(callOf(request), { remoteAddress: '', gone: () => request.signal }),
  )
}
