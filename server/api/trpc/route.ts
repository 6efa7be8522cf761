import { processWide } from '@/server/kernel/process-wide'
import { services } from '../services'
import { createTrpcHandler } from './handler'

const handler = () => processWide('trpc-handler', async () => createTrpcHandler(await services()))

/** The pages' procedures for hosting under plain Next. Next does not tell the client's address. */
export async function trpcRoute(request: Request): Promise<Response> {
  return await (await handler())(request, { remoteAddress: '' })
}
