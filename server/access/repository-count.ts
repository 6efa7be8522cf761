import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Subject } from './decide'
import type { OrganizationAccess } from './organization'

/** How many of an organization's repositories the subject may see, by the rules of `decideRepositoryAccess`. */
export async function countRepositories(
  db: Db,
  subject: Subject,
  { org, access }: { org: { id: number }; access: OrganizationAccess },
  counts: { repository_count: number; public_repository_count: number },
): Promise<number> {
  if (access.mayManage) return counts.repository_count
  if (subject.kind === 'anonymous') return counts.public_repository_count
  if (subject.isRestricted && !access.isMember) return await countGranted(db, org.id, subject.id, 'all')
  return counts.public_repository_count + (await countGranted(db, org.id, subject.id, 'private'))
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
