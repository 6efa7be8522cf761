import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('archives')

export { route as GET, route as HEAD }
