import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('raw-files')

export { route as GET, route as HEAD }
