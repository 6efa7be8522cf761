import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { type Account, findAccountById } from '@/server/kernel/account'
import type { JobCaller } from '@/server/kernel/caller'
import {
  clampPermissions,
  decideJobPermissions,
  everyJobScope,
  type JobTokenSettings,
  type RequestedPermissions,
} from '@/server/kernel/job-permissions'
import { accountObstacle } from '../acting-account'

/** What a job's run says about the permissions of the job's token. */
export interface GrantBasis {
  /** What the workflow requests for the job; null if it requests nothing. */
  requested: RequestedPermissions | null
  /** The event that started the run. */
  event: string
  /** The person who caused the run; null if none did. */
  actorId: number | null
}

/**
 * Returns what the token of a job can do by its workflow and the settings of now, and the person whose access
 * limits it. A schedule acts for the owner of the repository. A run that no person caused can only read, and a
 * run of someone who cannot sign in can do nothing.
 */
export async function findJobGrant(
  db: Db,
  target: { repositoryId: number; ownerId: number },
  { requested, event, actorId }: GrantBasis,
): Promise<Pick<JobCaller, 'permissions' | 'actor'>> {
  const isScheduled = actorId === null && event === 'schedule'
  const [settings, account] = await Promise.all([
    selectSettings(db, target),
    findActor(db, isScheduled ? target.ownerId : actorId),
  ])
  const permissions = decideJobPermissions(requested, settings)
  const obstacle = account && accountObstacle(account)
  if (obstacle === 'locked' || obstacle === 'inactive')
    return { permissions: everyJobScope('none'), actor: account ?? null }
  if (account?.kind === 'person') return { permissions, actor: account }
  const most = everyJobScope(isScheduled ? 'write' : 'read')
  return { permissions: clampPermissions(permissions, most), actor: null }
}

const findActor = async (db: Db, id: number | null): Promise<Account | undefined> =>
  id === null ? undefined : await findAccountById(db, id)

/** Selects the settings of a repository, of its owner and of the site, as far as they are set. */
async function selectSettings(
  db: Db,
  { repositoryId, ownerId }: { repositoryId: number; ownerId: number },
): Promise<JobTokenSettings[]> {
  const rows = await db
    .selectFrom('workflow_permissions')
    .modifyFront(prepared)
    .select(['default_permissions', 'max_contents', 'max_actions', 'max_statuses', 'max_packages'])
    .where(eb =>
      eb.or([
        eb('repository_id', '=', repositoryId),
        eb('owner_id', '=', ownerId),
        eb.and([eb('repository_id', 'is', null), eb('owner_id', 'is', null)]),
      ]),
    )
    .orderBy(sql`repository_id is null`)
    .orderBy(sql`owner_id is null`)
    .execute()
  return rows.map(row => ({
    default: row.default_permissions,
    ceiling: {
      contents: row.max_contents,
      actions: row.max_actions,
      statuses: row.max_statuses,
      packages: row.max_packages,
    },
  }))
}
