import { nextRoute } from '@/server/api/next-route'

const route = nextRoute('openapi', 'archives', 'raw-files', 'diffs', 'artifact-zips', 'job-logs', 'rest')

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
}
