import { archivesMount } from '@/server/api/archives/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(archivesMount)

export { route as GET, route as HEAD }
