import { readOnly } from '@/server/kernel/http/call'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'
import { openApiDocument } from './openapi'
import { type OpenApiPart, outlineOf, partOf } from './openapi-parts'

const prefix = '/api/docs/calls'
const ofOne = /^\/api\/docs\/calls\/([\w.-]{1,100})$/

/**
 * Mount of the OpenAPI document in parts, for the page that shows it: the outline at `/api/docs/calls`, and
 * one operation at `/api/docs/calls/ID`.
 */
export const apiDocsMount: Mount = {
  name: 'api-docs',
  match: path => path === prefix || ofOne.test(path),
  createHandler: () => {
    let outline: string | undefined
    return readOnly(async ({ path }) => {
      const id = ofOne.exec(path)?.[1]
      if (id === undefined) {
        outline ??= JSON.stringify(outlineOf(await openApiDocument()))
        return answer(200, outline)
      }
      const found: OpenApiPart | undefined = partOf(await openApiDocument(), id)
      return found ? answer(200, JSON.stringify(found)) : answer(404, '{}')
    })
  },
}

const answer = (status: number, body: string) => ({
  status,
  headers: {
    ...securityHeaders,
    'Content-Type': 'application/json;charset=utf-8',
    'Cache-Control': privateCaching,
  },
  body,
})
