import { artifactDownloadsMount } from '@/server/api/artifact-downloads/handler'
import { nextRoute } from '@/server/api/next-route'

const route = nextRoute(artifactDownloadsMount)

export { route as GET, route as HEAD }
