import { isBelow, type Mount } from './mount'
import { noEndpointAnswer } from './rest/presenter'

const page = /^\/api\/(?:docs|swagger)\/?$/

/** What programs ask for below `/api`, or `/v2` as of a container registry, where nobody else answers: never a page. */
export const noEndpointMount: Mount = {
  name: 'no-endpoint',
  match: path => (isBelow(path, '/api') && !page.test(path)) || isBelow(path, '/v2'),
  createHandler:
    ({ config }) =>
    async call =>
      noEndpointAnswer(call, config.baseUrl),
}
