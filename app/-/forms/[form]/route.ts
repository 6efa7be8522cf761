import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('forms')

export { route as GET, route as POST }
