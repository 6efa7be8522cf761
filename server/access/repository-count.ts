import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Subject } from './decide'
import type { OrganizationAccess } from './organization'

/**
 * Returns how many of an organization's repositories the subject can see, by the rules of
 * `decideRepositoryAccess`. The subject must be able to see the organization.
 */
export async function countRepositories(
  db: Db,
  subject: Subject,
  { org, access }: { org: { id: number }; access: OrganizationAccess },
  counts: { repository_count: number; public_repository_count: number },
): Promise<number> {
  if (access.mayManage) return counts.repository_count
  if (subject.kind === 'anonymous') return counts.public_repository_count
  return counts.public_repository_count + (await countGrantedPrivate(db, org.id, subject.id))
}

// Starts from the person's grants instead of the repositories: few people have many grants in a large
// organization.
async function countGrantedPrivate(db: Db, orgId: number, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select r.id
      from team_members tm
      join teams t on t.id = tm.team_id
      join team_repositories tr on tr.team_id = t.id
      join repositories r on r.id = tr.repository_id and r.is_private
      where tm.user_id = ${userId} and tm.org_id = ${orgId}
        and (t.mode in ('admin', 'owner')
          or exists (select from team_units tu where tu.team_id = t.id and tu.mode <> 'none'))
      union
      select r.id
      from repository_collaborators c
      join repositories r on r.id = c.repository_id and r.is_private
      where c.user_id = ${userId} and r.owner_id = ${orgId}) granted`.execute(db)
  return rows[0]?.count ?? 0
}
