import { Code } from '@connectrpc/connect'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { requestContext, type Services } from '@/server/services'
import { presentConnectError, RequestError } from './errors'
import type { Method } from './method'
import { runnerRpcPath } from './path'
import { methods } from './service'

export { presentConnectError } from './errors'

/** Answers a call of a runner. Failures have Connect's JSON format. */
export async function answerRunner(services: Services, call: Call, connection: Connection): Promise<Answer> {
  try {
    return await methodOf(call).answer(requestContext(services, connection), call)
  } catch (error) {
    return presentConnectError(error, { ...services, requestId: connection.requestId })
  }
}

const byPath = new Map(methods.map(method => [runnerRpcPath + method.path, method]))

function methodOf({ path, method: httpMethod }: Call): Method {
  const method = byPath.get(path)
  if (!method) throw new RequestError(404, Code.Unimplemented, `there is no method at ${path}`)
  if (httpMethod === 'POST') return method
  const message = `methods must be called with POST, not ${httpMethod}`
  throw new RequestError(405, Code.Unimplemented, message, { Allow: 'POST' })
}
