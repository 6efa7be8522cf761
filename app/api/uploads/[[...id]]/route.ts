import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('uploads')

export { route as DELETE, route as HEAD, route as OPTIONS, route as PATCH, route as POST }
