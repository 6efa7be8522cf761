import { randomUUID } from 'node:crypto'
import type { Handler } from '@/server/kernel/http/call'
import { callOf, responseOf } from '@/server/kernel/http/web-call'
import { singleton } from '@/server/kernel/singleton'
import { processServices } from '@/server/services'
import { allowingOthers, findMount, type Mount } from './mount'
import { mounts as allMounts } from './mounts'
import { noEndpointAnswer, presentError } from './rest/presenter'

/** Answers a request with one of the mounts with these names. Next does not provide the client's address. */
export async function answerRequest(names: readonly string[], request: Request): Promise<Response> {
  const { config, log } = await processServices()
  const call = callOf(request)
  const mounts = names.map(mountNamed)
  const mount = findMount(mounts, call.path, call.method, call.query)
  if (!mount) return responseOf(noEndpointAnswer(call, config.baseUrl), call.method)
  const requestId = randomUUID()
  try {
    const handle = allowingOthers(mounts, mount, await handlerOf(mount))
    const answer = await handle(call, { remoteAddress: '', requestId, disconnected: () => request.signal })
    return responseOf(answer, call.method)
  } catch (error) {
    return responseOf(presentError(error, { baseUrl: config.baseUrl, log, requestId }), call.method)
  }
}

function mountNamed(name: string): Mount {
  const found = allMounts.find(mount => mount.name === name)
  if (!found) throw new Error(`there is no mount ${name}`)
  return found
}

const handlerOf = (mount: Mount): Promise<Handler> =>
  singleton(handlerName(mount), async () => mount.createHandler(await processServices()))

/** Returns the process-wide singleton name of a mount's handler. */
export const handlerName = ({ name }: Mount): string => `mount ${name}`
