import { eventExportsMount } from '@/server/api/event-exports/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(eventExportsMount)

export { route as GET }
