import { nextRoute } from '@/server/api/next-route'
import { noEndpointMount } from '@/server/api/no-endpoint'

const route = nextRoute(noEndpointMount)

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
}
