export { healthRoute as GET, healthRoute as HEAD } from '@/server/api/health/route'

export const dynamic = 'force-dynamic'
