import { z } from 'zod'

const id = z.int().positive()

/** A topic to follow. `account` is the viewer's own; `site` is everything that administrators can see happen. */
export const Topic = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('account') }),
  z.object({ topic: z.literal('site') }),
  z.object({ topic: z.literal('organization'), id }),
  /** What a person's page shows. */
  z.object({ topic: z.literal('person'), id }),
  z.object({ topic: z.literal('repository'), id }),
  /** The workflows and runs of this repository, which change too often for its other pages. */
  z.object({ topic: z.literal('runs'), id }),
  /** The logs of a workflow run, which is one of this repository. */
  z.object({ topic: z.literal('run'), id, repository: id }),
  z.object({ topic: z.literal('hook'), id }),
])
export type Topic = z.infer<typeof Topic>

/** The limit for all pages of a browser together. */
export const maxTopics = 30

export const FollowInput = z.object({
  topics: z.array(Topic).min(1).max(maxTopics),
  /** The viewer for whom the pages were rendered, as in `viewerName`. */
  viewer: z.string().max(20),
  /** The last received position, to resume from. */
  lastEventId: z.string().max(80).optional(),
})
export type FollowInput = z.infer<typeof FollowInput>

/** A message says that something happened, not what. The page fetches its data again. */
export type LiveMessage =
  /** The stream is open and delivers everything from here on. */
  | { type: 'following' }
  | { type: 'changed'; topic: Topic }
  /** Messages may have been missed: fetch everything about these topics again. */
  | { type: 'resync'; topics: Topic[] }
  /** The viewer may not follow the topic, or no longer. */
  | { type: 'ended'; topic: Topic }
  /** The viewer may not follow anything anymore; the stream ends. */
  | { type: 'signedOut' }
