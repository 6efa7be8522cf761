import { nextRoute } from '@/server/api/next-route'

export const dynamic = 'force-dynamic'

const route = nextRoute('health')

export { route as GET, route as HEAD }
