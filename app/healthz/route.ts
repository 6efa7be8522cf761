import { healthMount } from '@/server/api/health/handler'
import { nextRoute } from '@/server/api/next-route'

export const dynamic = 'force-dynamic'

const route = nextRoute(healthMount)

export { route as GET, route as HEAD }
