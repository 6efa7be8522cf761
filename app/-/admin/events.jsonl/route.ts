import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('event-exports')

export { route as GET }
