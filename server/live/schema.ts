import { z } from 'zod'

const id = z.int().positive()

/** What a page wants to be told of. `account` is the viewer's own; `site` is what hooks of the site show. */
export const Topic = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('account') }),
  z.object({ topic: z.literal('site') }),
  z.object({ topic: z.literal('organization'), id }),
  z.object({ topic: z.literal('repository'), id }),
  z.object({ topic: z.literal('hook'), id }),
])
export type Topic = z.infer<typeof Topic>

/** All the pages of one browser may follow together. */
export const maxTopics = 30

export const FollowInput = z.object({
  topics: z.array(Topic).min(1).max(maxTopics),
  /** For whom the pages were rendered, as `viewerName` has it. */
  viewer: z.string().max(20),
  /** The last place that was told, from which to go on. */
  lastEventId: z.string().max(80).optional(),
})
export type FollowInput = z.infer<typeof FollowInput>

/** What a stream tells: that something happened, and nothing of what it was. A page fetches what it shows again. */
export type LiveMessage =
  /** The stream is open, and tells of what happens from here on. */
  | { type: 'following' }
  | { type: 'changed'; topic: Topic }
  /** Something may have been missed: everything that is shown of these topics is to be fetched again. */
  | { type: 'resync'; topics: Topic[] }
  /** The viewer may not, or no longer, be told of the topic. */
  | { type: 'ended'; topic: Topic }
  /** The viewer may not be told of anything anymore, and the stream ends. */
  | { type: 'signedOut' }
