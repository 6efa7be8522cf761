import type { ClaimedEvent, EventKind } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { HookBodies } from './bodies'
import { keyChanged } from './key'
import { orgCreated, orgDeleted, orgEdited, orgMemberChanged, orgRenamed } from './organization'
import { pushed } from './push'
import { refCreated, refDeleted } from './refs'
import { releaseChanged } from './release'
import { repositoryChanged, repositoryDeleted } from './repository'
import { statusCreated } from './status'
import { teamChanged, teamMemberChanged, teamRepositoryChanged } from './team'
import type { HookPayload, PayloadBuilder } from './types'
import { jobChanged, runChanged } from './workflow'

export { repositoryOfPayload } from './workflow'

interface Source<K extends EventKind> {
  type: keyof HookBodies
  build: PayloadBuilder<K>
}

// Webhooks that subscribe to a type are considered for each such event, so each kind listed here also leaves
// traces.
const sources = {
  'git.pushed': { type: 'push', build: pushed },
  // The first thousand refs have events of their own; this event says that there were more.
  'refs.changed': { type: 'push', build: async () => undefined },
  'ref.created': { type: 'create', build: refCreated },
  'ref.deleted': { type: 'delete', build: refDeleted },
  'repository.created': { type: 'repository', build: repositoryChanged },
  'repository.transferred': { type: 'repository', build: repositoryChanged },
  'repository.deleted': { type: 'repository', build: repositoryDeleted },
  'release.published': { type: 'release', build: releaseChanged },
  'release.updated': { type: 'release', build: releaseChanged },
  'release.deleted': { type: 'release', build: releaseChanged },
  'status.created': { type: 'status', build: statusCreated },
  'org.created': { type: 'organization', build: orgCreated },
  'org.edited': { type: 'organization', build: orgEdited },
  'org.renamed': { type: 'organization', build: orgRenamed },
  'org.deleted': { type: 'organization', build: orgDeleted },
  'org.member_added': { type: 'organization', build: orgMemberChanged },
  'org.member_removed': { type: 'organization', build: orgMemberChanged },
  'team.created': { type: 'team', build: teamChanged },
  'team.edited': { type: 'team', build: teamChanged },
  'team.deleted': { type: 'team', build: teamChanged },
  'team.repository_added': { type: 'team', build: teamRepositoryChanged },
  'team.repository_removed': { type: 'team', build: teamRepositoryChanged },
  'team.member_added': { type: 'membership', build: teamMemberChanged },
  'team.member_removed': { type: 'membership', build: teamMemberChanged },
  'key.added': { type: 'key', build: keyChanged },
  'key.removed': { type: 'key', build: keyChanged },
  'run.created': { type: 'workflow_run', build: runChanged },
  'run.retried': { type: 'workflow_run', build: runChanged },
  'run.started': { type: 'workflow_run', build: runChanged },
  'run.completed': { type: 'workflow_run', build: runChanged },
  'job.blocked': { type: 'workflow_job', build: jobChanged },
  'job.queued': { type: 'workflow_job', build: jobChanged },
  'job.started': { type: 'workflow_job', build: jobChanged },
  'job.completed': { type: 'workflow_job', build: jobChanged },
} satisfies { [K in EventKind]?: Source<K> }

const sourceOf = (kind: EventKind): Source<never> | undefined =>
  (sources as Partial<Record<EventKind, Source<never>>>)[kind]

/** The kinds of events that webhooks can receive. */
export const hookKinds = Object.keys(sources) as readonly EventKind[]

/**
 * Returns the event type that webhooks subscribe to for a kind of event; undefined if no webhook can receive
 * the kind.
 */
export function hookTypeOf(kind: EventKind): keyof HookBodies | undefined {
  return sourceOf(kind)?.type
}

/**
 * Builds the webhook payload of an event from the data recorded with the event and the current database
 * state, with the fields that an anonymous viewer sees; undefined if there is nothing to send. May run Git,
 * so it must not be called in a transaction.
 */
export async function payloadOf(ctx: ServiceCtx, event: ClaimedEvent): Promise<HookPayload | undefined> {
  // Git slots are limited per caller, and the sending job must not compete with anonymous visitors.
  const caller = ctx.caller.kind === 'system' ? ctx.caller : anonymous
  return await sourceOf(event.kind)?.build({ ...ctx, caller }, event as never)
}

/**
 * Builds the payload of an event for workflows: that of its webhooks, or one in the same shape for an event that
 * only workflows receive.
 */
export async function workflowPayloadOf(
  ctx: ServiceCtx,
  event: ClaimedEvent,
): Promise<HookPayload | undefined> {
  return event.kind === 'release.unpublished' ? await releaseChanged(ctx, event) : await payloadOf(ctx, event)
}
