import { responseOf } from '@/server/kernel/http/call'
import { processWide } from '@/server/kernel/process-wide'
import { errorAnswer } from '../rest/presenter'
import { services } from '../services'
import { createFormHandler } from './handler'

const handler = () => processWide('form-handler', async () => createFormHandler(await services()))

/** Forms without scripts for hosting under plain Next. Next does not tell the client's address. */
export async function formRoute(request: Request): Promise<Response> {
  const { config, fronted } = await services()
  // As for REST: there is one way in.
  if (fronted) return responseOf(errorAnswer(404, 'not found', config.baseUrl))
  return await (await handler())(request, { remoteAddress: '', gone: () => request.signal })
}
