import { callOf, responseOf } from '@/server/kernel/http/call'
import { processWide } from '@/server/kernel/process-wide'
import { services } from '../services'
import { createRestHandler } from './handler'
import { openApiResponse } from './openapi'

const handler = () => processWide('rest-handler', async () => createRestHandler(await services()))

/** The REST API for hosting under plain Next. Next does not tell the client's address. */
export async function restRoute(request: Request): Promise<Response> {
  if (new URL(request.url).pathname === '/api/v1/openapi.json')
    return openApiResponse((await services()).config)
  return responseOf(await (await handler())(callOf(request), { remoteAddress: '' }))
}
