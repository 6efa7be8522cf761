import { z } from 'zod'

const id = z.int().positive()

/**
 * A topic to follow. `account` is the viewer's own account; `site` covers everything that administrators can
 * see.
 */
export const Topic = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('account') }),
  /** The viewer's own notifications. */
  z.object({ topic: z.literal('notifications') }),
  z.object({ topic: z.literal('site') }),
  z.object({ topic: z.literal('organization'), id }),
  /** Profile and visible repositories of a person. */
  z.object({ topic: z.literal('person'), id }),
  z.object({ topic: z.literal('repository'), id }),
  /** Workflows and runs of this repository, which change too often for its other pages. */
  z.object({ topic: z.literal('runs'), id }),
  /** Statuses of this repository's commits, which change as often as its runs. */
  z.object({ topic: z.literal('statuses'), id }),
  /** Logs of a workflow run of this repository. */
  z.object({ topic: z.literal('run'), id, repository: id }),
  z.object({ topic: z.literal('hook'), id }),
])
export type Topic = z.infer<typeof Topic>

/** Maximum number of topics for all pages of a browser together. */
export const maxTopics = 30

export const FollowInput = z.object({
  topics: z.array(Topic).min(1).max(maxTopics),
  /** Name of the viewer for whom the pages were rendered, as returned by `viewerName`. */
  viewer: z.string().max(20),
  /** Last received position, from which the stream resumes. */
  lastEventId: z.string().max(80).optional(),
})
export type FollowInput = z.infer<typeof FollowInput>

/** Message to a page. It says that something changed but not what; the page fetches its data again. */
export type LiveMessage =
  /** The stream is open and delivers everything from here on. */
  | { type: 'following' }
  | { type: 'changed'; topic: Topic }
  /** Messages may have been missed, so everything about these topics must be fetched again. */
  | { type: 'resync'; topics: Topic[] }
  /** The viewer does not have access to the topic, or has lost it. */
  | { type: 'ended'; topic: Topic }
  /** The viewer's session has ended, and with it the stream. */
  | { type: 'signedOut' }
