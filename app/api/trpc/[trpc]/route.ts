import { trpcRoute } from '@/server/api/trpc/route'

export {
  trpcRoute as DELETE,
  trpcRoute as GET,
  trpcRoute as HEAD,
  trpcRoute as OPTIONS,
  trpcRoute as PATCH,
  trpcRoute as POST,
  trpcRoute as PUT,
}
