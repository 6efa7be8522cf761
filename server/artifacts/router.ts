import { router } from '@/server/trpc/init'
import { artifactPagesRouter } from './pages/router'

export const artifactsRouter = router({
  pages: artifactPagesRouter,
})
