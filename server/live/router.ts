import { tracked } from '@trpc/server'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { currentPlace, follow } from './follow'
import { FollowInput, type LiveMessage } from './schema'
import type { StreamMessage } from './stream'

export const liveRouter = router({
  /** Streams messages about the topics, starting after the position `lastEventId`. */
  follow: openProcedure
    .input(FollowInput)
    .subscription(async ({ ctx, input, signal }) => withPlaces(await follow(ctx, input, signal))),

  /** The position after which a page rendered now starts to follow. */
  getPlace: openProcedure.query(({ ctx }): string => currentPlace(ctx)),
})

async function* withPlaces(messages: AsyncIterable<StreamMessage>) {
  for await (const { place, message } of messages) yield tracked<LiveMessage>(place, message)
}
