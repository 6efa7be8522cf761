import { signedInWith } from '@/server/trpc/procedures'
import { loadHookScope } from '../load'
import { explainHookEvent } from './explain'
import { listHookEvents } from './list'
import { ExplainedHookEvent, HookEventPage, ScopedEventPath, ScopedEventsInput } from './schema'

const inScope = signedInWith(ScopedEventsInput, (ctx, { scope }) => loadHookScope(ctx, scope))
const ofEvent = signedInWith(ScopedEventPath, (ctx, { scope }) => loadHookScope(ctx, scope))

/**
 * tRPC procedures for the pages that explain which webhooks received an event. Used for the webhooks of
 * accounts, organizations, repositories, and the site.
 */
export const explanationProcedures = {
  listEvents: inScope.output(HookEventPage).query(({ ctx, input }) => listHookEvents(ctx, ctx.found, input)),
  explainEvent: ofEvent
    .output(ExplainedHookEvent)
    .query(({ ctx, input }) => explainHookEvent(ctx, ctx.found, input.event_id)),
}
