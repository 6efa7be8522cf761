export { readyRoute as GET, readyRoute as HEAD } from '@/server/api/health/route'

export const dynamic = 'force-dynamic'
