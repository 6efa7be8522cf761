import { authenticateJob } from '@/server/auth/credentials/job-token'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { originOf } from '@/server/kernel/http/origin'
import { requestContext, type Services } from '@/server/services'
import { isBelow } from '../mount'
import { decode, encode, formatOf } from './codec'
import { commonHeaders, ProtocolError, presentTwirpError } from './errors'
import { formerService } from './path'
import { type Method, methods } from './service'

const service = '/twirp/github.actions.results.api.v1.ArtifactService/'
const maxBodyBytes = 64 * 1024

/** Answers a call of a job. Failures have Twirp's JSON format. */
export async function answerJob(services: Services, call: Call, connection: Connection): Promise<Answer> {
  try {
    return await answer(services, call, connection)
  } catch (error) {
    return presentTwirpError(error, { ...services, requestId: connection.requestId })
  }
}

async function answer(services: Services, call: Call, connection: Connection): Promise<Answer> {
  const { input, output, run } = methodOf(call)
  const format = formatOf(call.headers.get('content-type'))
  const { config } = services
  const ctx = await authenticateJob(requestContext(services, connection), call.headers.get('authorization'))
  const request = decode(input, await call.body(maxBodyBytes), format)
  const origin = config.artifactBaseUrl ?? originOf(call, connection, config)
  const { type, body } = encode(output, await run({ ...ctx, origin }, request), format)
  return { status: 200, headers: { ...commonHeaders, 'Content-Type': type }, body }
}

function methodOf({ path, method: httpMethod }: Call): Method {
  if (isBelow(path, formerService))
    throw new ProtocolError('bad_route', 'artifacts require version 4 or later of actions/upload-artifact')
  const method = path.startsWith(service) ? methods.get(path.slice(service.length)) : undefined
  if (!method) throw new ProtocolError('bad_route', `there is no method at ${path}`)
  if (httpMethod !== 'POST')
    throw new ProtocolError('bad_route', `methods must be called with POST, not ${httpMethod}`)
  return method
}
