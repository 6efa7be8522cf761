import { avatarsMount } from '@/server/api/avatars/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(avatarsMount)

export { route as GET, route as HEAD }
