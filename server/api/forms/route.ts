import { responseOf } from '@/server/kernel/http/call'
import { singleton } from '@/server/kernel/singleton'
import { processServices } from '@/server/services'
import { errorAnswer } from '../rest/presenter'
import { createFormHandler } from './handler'

const handler = () => singleton('form-handler', async () => createFormHandler(await processServices()))

/** Forms without scripts for hosting under plain Next. Next does not tell the client's address. */
export async function formRoute(request: Request): Promise<Response> {
  const { config, ownsHttp } = await processServices()
  // As for REST: there is one way in.
  if (ownsHttp) return responseOf(errorAnswer(404, 'not found', config.baseUrl))
  return await (await handler())(request, { remoteAddress: '', gone: () => request.signal })
}
