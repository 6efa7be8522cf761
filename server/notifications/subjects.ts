import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Subject, visibleRepositories } from '@/server/access'
import type { NotificationKind } from './schema'

type Viewer = Extract<Subject, { kind: 'user' }>
type Sql = RawBuilder<unknown>

/** How to find what a notification is about, and what to say about it. */
interface SubjectQuery {
  /** Rest of a query from `from` on: returns a row only while it needs the viewer and they may know of it. */
  rows: Sql
  /** The facts by name, as arguments of `jsonb_build_object`. */
  facts: Sql
}

const fullName = sql`repositories.owner_name || '/' || repositories.name`

/**
 * The subjects of all kinds of notifications. Queries refer to the notification as `n`. What is gone, done, or hidden
 * from the viewer meanwhile has no row, so that nobody learns names that they may no longer see.
 */
export const subjectQueries = (viewer: Viewer): Readonly<Record<NotificationKind, SubjectQuery>> => ({
  // A rerun that succeeds settles it.
  run_failed: {
    rows: sql`from workflow_runs as run join repositories on repositories.id = run.repository_id
      where run.id = n.subject_id and run.conclusion = 'failure' and ${visibleRepositories(viewer, 'repo.actions')}`,
    facts: sql`'repository', ${fullName}, 'run_id', run.id, 'run_number', run.number,
      'workflow', run.workflow_name, 'title', run.title, 'job', (${failedJob})`,
  },
  transfer_offered: {
    rows: sql`from repository_transfers as offer
      join repositories on repositories.id = offer.repository_id
      join users as recipient on recipient.id = offer.recipient_id
      join users as doer on doer.id = offer.doer_id
      where offer.repository_id = n.subject_id and ${belongsTo(viewer, sql`offer.recipient_id`)}`,
    facts: sql`'repository', ${fullName}, 'recipient', recipient.name, 'doer', doer.name,
      'is_visible', ${visibleRepositories(viewer)}`,
  },
  team_joined: {
    rows: sql`from team_members as membership
      join teams on teams.id = membership.team_id
      join users as org on org.id = teams.org_id
      where membership.team_id = n.subject_id and membership.user_id = ${viewer.id}`,
    facts: sql`'org', org.name, 'team', teams.name`,
  },
  collaboration_begun: {
    rows: sql`from repository_collaborators as collaboration
      join repositories on repositories.id = collaboration.repository_id
      where collaboration.repository_id = n.subject_id and collaboration.user_id = ${viewer.id}`,
    facts: sql`'repository', ${fullName}, 'permission', collaboration.mode`,
  },
  hook_disabled: {
    rows: sql`from hooks
      left join repositories on repositories.id = hooks.repository_id
      join users as owner on owner.id = coalesce(repositories.owner_id, hooks.owner_id)
      where hooks.id = n.subject_id and hooks.disabled_reason is not null and ${belongsTo(viewer, sql`owner.id`)}`,
    facts: sql`'hook_id', hooks.id, 'target', hooks.target, 'why', hooks.disabled_reason, 'scope', case
      when repositories.id is not null
        then jsonb_build_object('kind', 'repository', 'owner', owner.name, 'repo', repositories.name)
      when owner.kind = 'organization' then jsonb_build_object('kind', 'organization', 'org', owner.name)
      else jsonb_build_object('kind', 'own') end`,
  },
  token_expiring: {
    rows: sql`from access_tokens as token where token.id = n.subject_id and token.user_id = ${viewer.id}`,
    facts: sql`'name', token.name, 'expires_at', token.expires_at`,
  },
  key_expiring: {
    rows: sql`from public_keys as key where key.id = n.subject_id and key.owner_id = ${viewer.id}`,
    facts: sql`'title', key.title, 'expires_at', key.expires_at`,
  },
})

/** SQL condition that the account is the viewer, or an organization that they own. */
const belongsTo = (viewer: Viewer, account: Sql): RawBuilder<SqlBool> => sql`(
  ${account} = ${viewer.id} or exists (
    select from team_members join teams on teams.id = team_members.team_id
    where team_members.user_id = ${viewer.id} and team_members.org_id = ${account} and teams.is_owners))`

// Runners report steps in order, and a step's rows of the log follow each other.
const failedJob = sql`
  select jsonb_build_object('id', job.id, 'name', job.name, 'step', failed.step ->> 'name',
    'line', nullif((failed.step ->> 'log_index')::int + (failed.step ->> 'log_length')::int, 0))
  from workflow_jobs as job
  left join lateral (
    select steps.step
    from (select task.steps from workflow_tasks as task where task.job_id = job.id order by task.id desc limit 1) latest,
      jsonb_array_elements(latest.steps) with ordinality as steps (step, position)
    where steps.step ->> 'conclusion' = 'failure'
    order by steps.position limit 1) failed on true
  where job.run_id = run.id and job.conclusion = 'failure' and not job.continue_on_error and job.call is null
  order by job.attempt desc, job.position limit 1`
