import { archivesMount } from '@/server/api/archives/handler'
import { artifactZipMount } from '@/server/api/artifact-downloads/zip-handler'
import { nextRoute } from '@/server/api/next-route'
import { restMount } from '@/server/api/rest/handler'
import { openApiMount } from '@/server/api/rest/openapi'

const route = nextRoute(openApiMount, archivesMount, artifactZipMount, restMount)

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
}
