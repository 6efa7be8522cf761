import { actionsRouter } from '@/server/actions/router'
import { activityRouter } from '@/server/activity/router'
import { artifactsRouter } from '@/server/artifacts/router'
import { auditRouter } from '@/server/audit/router'
import { blocksRouter } from '@/server/blocks/router'
import { codeRouter } from '@/server/code/router'
import { createHealthRouter } from '@/server/health/router'
import { hooksRouter } from '@/server/hooks/router'
import { instanceRouter } from '@/server/instance/router'
import { schedule } from '@/server/jobs/registry'
import { keysRouter } from '@/server/keys/router'
import { labelsRouter } from '@/server/labels/router'
import { liveRouter } from '@/server/live/router'
import { notificationsRouter } from '@/server/notifications/router'
import { orgsRouter } from '@/server/orgs/router'
import { releasesRouter } from '@/server/releases/router'
import { removalsRouter } from '@/server/removals/router'
import { reposRouter } from '@/server/repos/router'
import { runnersRouter } from '@/server/runners/router'
import { searchRouter } from '@/server/search/router'
import { secretsRouter } from '@/server/secrets/router'
import { sessionsRouter } from '@/server/sessions/router'
import { statusesRouter } from '@/server/statuses/router'
import { teamsRouter } from '@/server/teams/router'
import { tokensRouter } from '@/server/tokens/router'
import { triggersRouter } from '@/server/triggers/router'
import { router } from '@/server/trpc/init'
import { usersRouter } from '@/server/users/router'

export const appRouter = router({
  instance: instanceRouter,
  sessions: sessionsRouter,
  users: usersRouter,
  code: codeRouter,
  keys: keysRouter,
  tokens: tokensRouter,
  blocks: blocksRouter,
  orgs: orgsRouter,
  repos: reposRouter,
  releases: releasesRouter,
  statuses: statusesRouter,
  labels: labelsRouter,
  actions: actionsRouter,
  workflows: triggersRouter,
  artifacts: artifactsRouter,
  secrets: secretsRouter,
  runners: runnersRouter,
  activity: activityRouter,
  teams: teamsRouter,
  removals: removalsRouter,
  hooks: hooksRouter,
  live: liveRouter,
  notifications: notificationsRouter,
  search: searchRouter,
  audit: auditRouter,
  health: createHealthRouter(schedule),
})

export type AppRouter = typeof appRouter
