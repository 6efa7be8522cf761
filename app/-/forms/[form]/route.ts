import { formsMount } from '@/server/api/forms/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(formsMount)

export { route as GET, route as POST }
