import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('artifact-downloads')

export { route as GET, route as HEAD }
