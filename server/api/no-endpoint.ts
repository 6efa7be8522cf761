import { isBelow, type Mount } from './mount'
import { noEndpointAnswer } from './rest/presenter'

const page = /^\/api\/(?:docs|swagger)\/?$/

/**
 * Mount that responds with a JSON 404 to all other paths below `/api` and `/v2` (container registries), never
 * with a page.
 */
export const noEndpointMount: Mount = {
  name: 'no-endpoint',
  match: path => (isBelow(path, '/api') && !page.test(path)) || isBelow(path, '/v2'),
  createHandler:
    ({ config }) =>
    async call =>
      noEndpointAnswer(call, config.baseUrl),
}
