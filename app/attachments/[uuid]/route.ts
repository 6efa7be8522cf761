import { downloadsMount } from '@/server/api/downloads/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(downloadsMount)

export { route as GET, route as HEAD }
