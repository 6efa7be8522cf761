// next.config.mjs rewrites `/{username}.keys` to this route.
import { authorizedKeysMount } from '@/server/api/authorized-keys/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(authorizedKeysMount)

export { route as GET, route as HEAD }
