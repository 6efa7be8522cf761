import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('api-docs')

export { route as GET, route as HEAD }
