import { nextRoute } from '@/server/api/next-route'
import { runnerRpcMount } from '@/server/api/runner-rpc/handler'

const route = nextRoute(runnerRpcMount)

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
}
