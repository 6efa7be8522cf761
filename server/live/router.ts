import { tracked } from '@trpc/server'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { currentCursor, follow } from './follow'
import { FollowInput, type LiveMessage } from './schema'
import type { StreamMessage } from './stream'

export const liveRouter = router({
  /** Streams messages about the topics, starting after the position `lastEventId`. */
  follow: openProcedure
    .input(FollowInput)
    .subscription(async ({ ctx, input, signal }) => withCursors(await follow(ctx, input, signal))),

  /** Returns the position after which a page that is rendered now starts to follow. */
  getCursor: openProcedure.query(({ ctx }): string => currentCursor(ctx)),
})

async function* withCursors(messages: AsyncIterable<StreamMessage>) {
  for await (const { cursor, message } of messages) yield tracked<LiveMessage>(cursor, message)
}
