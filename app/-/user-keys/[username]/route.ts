// next.config.mjs rewrites `/{username}.keys` to this route.
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('keys-text')

export { route as GET, route as HEAD }
