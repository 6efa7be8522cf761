import { nextRoute } from '@/server/api/next-route'
import { uploadsMount } from '@/server/api/uploads/handler'

const route = nextRoute(uploadsMount)

export { route as DELETE, route as HEAD, route as OPTIONS, route as PATCH, route as POST }
