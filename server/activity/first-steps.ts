import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { UserCtx } from '@/server/kernel/ctx'
import type { FirstSteps } from './schema'

/** Returns what the caller has already done of what new people do first. */
export async function getFirstSteps({ db, caller, clock }: UserCtx): Promise<FirstSteps> {
  return await selectFirstSteps(db, caller.user.id, clock.now())
}

async function selectFirstSteps(db: Db, userId: number, now: Date): Promise<FirstSteps> {
  const isValid = sql`(expires_at is null or expires_at > ${now})`
  const did = (...kinds: string[]) => sql`exists (
    select from events where actor_id = ${userId} and in_feed and kind in (${sql.join(kinds)}))`
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from public_keys where owner_id = ${userId} and type <> 'principal' and ${isValid})
        or exists (select from access_tokens where user_id = ${userId} and ${isValid}) as has_credential,
      exists (select from repositories where owner_id = ${userId}) or ${did('repository.created')} as has_repository,
      ${did('git.pushed', 'ref.created')} as has_pushed`.execute(db)
  return rows[0] as FirstSteps
}
