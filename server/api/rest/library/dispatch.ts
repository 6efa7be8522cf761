import { createOpenApiNodeHttpHandler } from 'trpc-openapi'
import type { Answer } from '@/server/kernel/http/call'
import { appRouter } from '../../root'
import { presentError, presentSuccess, successAnswer } from '../presenter'
import { LibraryRequest, type RestCtx } from './exchange'

/*
 * How a call goes through trpc-openapi.
 *
 * The library finds the procedure of a method and path, gathers its input from path, query and body, calls it, and
 * writes an answer. All that is ours is done before and after: authentication, the body, 404 and 405 before; status,
 * headers and errors after. What passes between the two is one `Exchange`, carried in the context of the procedures.
 *
 * - Its handler compiles every route when it is made, which is why there is one for the process. (Its fetch adapter would
 *   compile them for each request.) It is written for Node's request and response; it gets stand-ins for both.
 * - The request is a `LibraryRequest`: the fields that the library reads, with the prototype of a web `Request`. By
 *   that prototype it takes `body` and `query` as they are instead of reading Node's stream. We have read and checked
 *   them already, so they hold the fields of this endpoint and nothing else.
 * - Paths are matched twice: by `route-table.ts`, with the library's own patterns in its own order, and here. Both must
 *   find the same endpoint: the first decided about scopes and input. What the library would read differently, such as dot
 *   segments, `findEndpoint` answers with 404.
 * - The response collects a status, headers and a text. `responseMeta` and `onError` run inside the library: the first
 *   sets status and headers of a success, the second keeps the error, which is presented once the library ends.
 *
 * The contract tests of paths, bodies and errors would show at once if a new version of it worked otherwise.
 */

const library = createOpenApiNodeHttpHandler({
  router: appRouter,
  createContext: ({ req }) => (req as unknown as LibraryRequest).ctx,
  responseMeta: ({ ctx, data, errors }) => {
    if (errors.length > 0 || !ctx) return {}
    const { exchange, config } = ctx as RestCtx
    return presentSuccess(exchange, data?.[0], config.baseUrl)
  },
  onError: ({ error, req }) => {
    ;(req as unknown as LibraryRequest).ctx.exchange.error = error
  },
} as Parameters<typeof createOpenApiNodeHttpHandler>[0])

/** Calls the procedure of an exchange and presents what it gives or throws. */
export function dispatch(ctx: RestCtx): Promise<Answer> {
  const { endpoint, input, path } = ctx.exchange
  const request = new LibraryRequest(endpoint.method, path, input, input, libraryHeaders, ctx)
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {}
    const response = {
      statusCode: 200,
      setHeader(name: string, value: string) {
        if (name !== 'Content-Type') headers[name] = value
      },
      end(body: string | undefined) {
        const { error } = ctx.exchange
        const around = { baseUrl: ctx.config.baseUrl, log: ctx.log, requestId: ctx.requestId }
        resolve(
          error
            ? presentError(error, around, ctx.exchange)
            : successAnswer(response.statusCode, headers, body),
        )
      },
    }
    library(request as never, response as never).catch(reject)
  })
}

// The library only looks whether the type is one of its own.
const libraryHeaders = new Headers({ 'content-type': 'application/json' })
