import { signedInWith } from '@/server/trpc/procedures'
import { loadHookPlace } from '../load'
import { explainHookEvent } from './explain'
import { listHookEvents } from './list'
import { ExplainedHookEvent, HookEventPage, PlacedEventPath, PlacedEventsInput } from './schema'

const inPlace = signedInWith(PlacedEventsInput, (ctx, { place }) => loadHookPlace(ctx, place))
const ofEvent = signedInWith(PlacedEventPath, (ctx, { place }) => loadHookPlace(ctx, place))

/** Procedures for pages about events and the hooks that could receive them, the same for every place. */
export const explanationProcedures = {
  listEvents: inPlace.output(HookEventPage).query(({ ctx, input }) => listHookEvents(ctx, ctx.found, input)),
  explainEvent: ofEvent
    .output(ExplainedHookEvent)
    .query(({ ctx, input }) => explainHookEvent(ctx, ctx.found, input.event_id)),
}
