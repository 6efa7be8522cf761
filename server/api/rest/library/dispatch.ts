import { createOpenApiNodeHttpHandler } from 'trpc-openapi'
import type { Answer } from '@/server/kernel/http/call'
import { appRouter } from '../../root'
import { presentError, presentSuccess, successAnswer } from '../presenter'
import { LibraryRequest, type RestCtx } from './exchange'

/*
 * How a request passes through trpc-openapi.
 *
 * The library finds the procedure of a method and path, collects its input from path, query, and body, calls
 * it, and writes a response. Our own code runs before and after: authentication, the body, 404, and 405
 * before; status, headers, and errors after. An `Exchange` in the context of the procedures connects the two.
 *
 * - The library's handler compiles every route on creation, so there is one per process. (Its fetch adapter
 *   would compile them for each request.) It expects Node's request and response, and gets stand-ins for
 *   both.
 * - The request is a `LibraryRequest`: the fields that the library reads, with the prototype of a web
 *   `Request`. This prototype makes the library use `body` and `query` as they are instead of reading Node's
 *   stream. They have already been read and checked, and contain only the fields of this endpoint.
 * - Paths are matched twice: in `route-table.ts`, with the library's patterns in its order, and by the
 *   library. Both must find the same endpoint, because scopes and input depend on the first match.
 *   `findEndpoint` responds with 404 to paths that the library would read differently, such as those with dot
 *   segments.
 * - The response collects a status, headers, and a text. `responseMeta` and `onError` run inside the library:
 *   the former sets the status and headers of a success, and the latter keeps the error, which is presented
 *   after the library ends.
 *
 * The contract tests of paths, bodies, and errors fail if a new version of the library behaves differently.
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

/** Calls the procedure of an exchange and returns its result or error as a response. */
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

// The library only checks that it supports the content type.
const libraryHeaders = new Headers({ 'content-type': 'application/json' })
