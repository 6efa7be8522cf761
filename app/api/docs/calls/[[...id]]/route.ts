import { nextRoute } from '@/server/api/next-route'
import { apiDocsMount } from '@/server/api/rest/api-docs'

const route = nextRoute(apiDocsMount)

export { route as GET, route as HEAD }
