import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('avatars')

export { route as GET, route as HEAD }
