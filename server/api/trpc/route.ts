import { responseOf } from '@/server/kernel/http/call'
import { singleton } from '@/server/kernel/singleton'
import { processServices } from '@/server/services'
import { errorAnswer } from '../rest/presenter'
import { createTrpcHandler } from './handler'

const handler = () => singleton('trpc-handler', async () => createTrpcHandler(await processServices()))

/** The pages' procedures for hosting under plain Next. Next does not tell the client's address. */
export async function trpcRoute(request: Request): Promise<Response> {
  const { config, ownsHttp } = await processServices()
  // As for REST: there is one way in.
  if (ownsHttp) return responseOf(errorAnswer(404, 'not found', config.baseUrl))
  return await (await handler())(request, { remoteAddress: '', gone: () => request.signal })
}
