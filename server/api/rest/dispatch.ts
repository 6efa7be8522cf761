import type { Answer } from '@/server/kernel/http/call'
import type { RestCtx } from './exchange'
import { presentError, presentSuccess, successAnswer } from './presenter'

/** Calls the procedure of an exchange and returns its result or error as a response. */
export async function dispatch(ctx: RestCtx): Promise<Answer> {
  const { exchange, config, log, requestId } = ctx
  const { baseUrl } = config
  try {
    const { endpoint, input, path } = exchange
    const data = await endpoint.call(ctx, endpoint.inputOf(input, path))
    const { status, headers } = presentSuccess(exchange, data, baseUrl)
    return successAnswer(ctx.out.status ?? status, headers, JSON.stringify(data))
  } catch (error) {
    return presentError(error, { baseUrl, log, requestId }, exchange)
  }
}
