import { createHash } from 'node:crypto'
import { isDomainError, type Reasons, tooManyRequests, unprocessable } from '@/server/kernel/errors'

/** What is remembered of those whose workflows took too much of the thread, so that they do not keep others from it. */
export interface Pauses {
  /**
   * @throws {DomainError} unprocessable for a document that was too much for this lane lately; tooManyRequests while the lane
   * pauses.
   */
  require(lane: Lane, document: string): void
  /**
   * Notes that a document was too much, if it is known to be, and has its lane pause: longer each time that it follows
   * another.
   */
  note(lane: Lane, document: string | undefined, limit: Limit): void
}

/** Undefined for those who only look: they share what is remembered, and never pause, as others wrote what they look at. */
export type Lane = string | undefined

/** With `processor`, others kept the thread from it. */
export type Limit = ReadLimit | 'processor'
type ReadLimit = Reasons['workflowTooMuch']['limit']

const rememberedMs = 10 * 60_000
const maxPauseMs = 60_000
const maxRemembered = 1000

/** `pauseMs` is the first pause of a lane. */
export function createPauses(pauseMs: number, now = () => performance.now()): Pauses {
  const lanes = new Map<string, { at: number; ms: number }>()
  const documents = new Map<string, { at: number; limit: ReadLimit }>()

  return {
    require(lane, document) {
      // Work that is repeated in the background must get past it to what else it has to do.
      const known = documents.size > 0 && documents.get(keyOf(lane, document))
      if (known && now() - known.at < rememberedMs) throw tooMuch(known.limit)
      const pause = lane === undefined ? undefined : lanes.get(lane)
      const leftMs = pause ? pause.at + pause.ms - now() : 0
      if (leftMs > 0)
        throw tooManyRequests(
          'a workflow just took too much to read; try again later',
          Math.ceil(leftMs / 1000),
        )
    },
    note(lane, document, limit) {
      if (document !== undefined && limit !== 'processor')
        remember(documents, keyOf(lane, document), { at: now(), limit })
      if (lane === undefined) return
      const last = lanes.get(lane)
      const isAgain = last && now() - last.at < rememberedMs
      const ms = isAgain ? Math.min(2 * last.ms, maxPauseMs) : pauseMs
      remember(lanes, lane, { at: now(), ms })
    },
  }
}

/** The refusal of a workflow that reached a limit of the thread. */
export const tooMuch = (limit: ReadLimit): Error =>
  unprocessable(`Reading the workflow takes too much ${limit}.`, {
    field: 'workflow',
    reason: { code: 'workflowTooMuch', limit },
  })

/** Whether reading a workflow reached a limit of the thread: for another reader, or later, it may not. */
export const isTooMuch = (error: unknown): boolean =>
  isDomainError(error) && error.reason?.code === 'workflowTooMuch'

const keyOf = (lane: Lane, document: string): string =>
  `${lane ?? ''} ${createHash('sha256').update(document).digest('hex')}`

function remember<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key)
  all.set(key, value)
  const [oldest] = all.keys()
  if (all.size > maxRemembered && oldest !== undefined) all.delete(oldest)
}
