import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { OrganizationWithAccess } from './find'
import type { OrgCounts } from './store'

/** How many of an organization's repositories the caller may see, by the rules of `decideRepositoryAccess`. */
export async function countRepositories(
  ctx: ServiceCtx,
  { org, access }: OrganizationWithAccess,
  counts: OrgCounts,
): Promise<number> {
  if (access.mayManage) return counts.repository_count
  const subject = subjectOf(ctx.caller)
  if (subject.kind === 'anonymous') return counts.public_repository_count
  if (subject.isRestricted && !access.isMember) return await countGranted(ctx.db, org.id, subject.id, 'all')
  return counts.public_repository_count + (await countGranted(ctx.db, org.id, subject.id, 'private'))
}

// By what this person was given, not by repository: few people are given much of a large organization.
async function countGranted(
  db: Db,
  orgId: number,
  userId: number,
  which: 'private' | 'all',
): Promise<number> {
  const wanted = which === 'private' ? sql`and r.is_private` : sql``
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select r.id
      from team_members tm
      join teams t on t.id = tm.team_id
      join team_repositories tr on tr.team_id = t.id
      join repositories r on r.id = tr.repository_id ${wanted}
      where tm.user_id = ${userId} and tm.org_id = ${orgId}
        and (t.mode in ('admin', 'owner')
          or exists (select from team_units tu where tu.team_id = t.id and tu.mode <> 'none'))
      union
      select r.id
      from repository_collaborators c
      join repositories r on r.id = c.repository_id ${wanted}
      where c.user_id = ${userId} and r.owner_id = ${orgId}) granted`.execute(db)
  return rows[0]?.count ?? 0
}
