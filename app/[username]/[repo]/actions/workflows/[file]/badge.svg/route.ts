import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('badges')

export { route as GET, route as HEAD }
