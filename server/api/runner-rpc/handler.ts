import { Code } from '@connectrpc/connect'
import type { Call } from '@/server/kernel/http/call'
import { requestContext } from '@/server/services'
import { isBelow, type Mount } from '../mount'
import { presentConnectError, RequestError } from './errors'
import type { Method } from './method'
import { methods } from './service'

const root = '/api/actions'

/** Serves the Connect methods by which runners take tasks and report about them. */
export const runnerRpcMount: Mount = {
  name: 'runner-rpc',
  match: path => isBelow(path, root),
  refuse: (error, _, around) => presentConnectError(error, around),
  createHandler: services => async (call, connection) => {
    try {
      return await methodOf(call).answer(requestContext(services, connection), call)
    } catch (error) {
      return presentConnectError(error, { ...services, requestId: connection.requestId })
    }
  },
}

const byPath = new Map(methods.map(method => [root + method.path, method]))

function methodOf({ path, method: httpMethod }: Call): Method {
  const method = byPath.get(path)
  if (!method) throw new RequestError(404, Code.Unimplemented, `there is no method at ${path}`)
  if (httpMethod === 'POST') return method
  const message = `methods must be called with POST, not ${httpMethod}`
  throw new RequestError(405, Code.Unimplemented, message, { Allow: 'POST' })
}
