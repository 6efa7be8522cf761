import { nextRoute } from '@/server/api/next-route'
import { trpcMount } from '@/server/api/trpc/handler'
import { liveMount } from '@/server/api/trpc/live'

const route = nextRoute(liveMount, trpcMount)

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
}
