import { blocksRouter } from '@/server/blocks/router'
import { instanceRouter } from '@/server/instance/router'
import { keysRouter } from '@/server/keys/router'
import { sessionsRouter } from '@/server/sessions/router'
import { tokensRouter } from '@/server/tokens/router'
import { router } from '@/server/trpc/init'
import { usersRouter } from '@/server/users/router'

export const appRouter = router({
  instance: instanceRouter,
  sessions: sessionsRouter,
  users: usersRouter,
  keys: keysRouter,
  tokens: tokensRouter,
  blocks: blocksRouter,
})

export type AppRouter = typeof appRouter
