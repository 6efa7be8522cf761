import { createHash } from 'node:crypto'
import { isDomainError, type Reasons, tooManyRequests, unprocessable } from '@/server/kernel/errors'

/**
 * Remembers callers and documents whose reading exceeded a limit, so that they do not keep others from the
 * thread.
 */
export interface Pauses {
  /**
   * Checks that a document may be read now.
   * @throws {DomainError} unprocessable if the document recently exceeded a limit for this lane;
   * tooManyRequests while the lane pauses.
   */
  require(lane: Lane, document: string): void
  /**
   * Records that reading exceeded a limit, and pauses the lane: longer each time this happens again within
   * ten minutes. The document is also remembered if it is known to be the cause.
   */
  note(lane: Lane, document: string | undefined, limit: Limit): void
}

/**
 * Account or address that pauses together. Undefined for callers who only view a workflow: they share what is
 * remembered and never pause, because others wrote the workflow.
 */
export type Lane = string | undefined

/**
 * Limit that was exceeded. `processor` means that the thread did not get enough CPU time, which is not the
 * document's fault.
 */
export type Limit = ReadLimit | 'processor'
type ReadLimit = Reasons['workflowTooMuch']['limit']

const rememberedMs = 10 * 60_000
const maxPauseMs = 60_000
const maxRemembered = 1000

/** Creates the memory of exceeded limits. `pauseMs` is the length of a lane's first pause. */
export function createPauses(pauseMs: number, now = () => performance.now()): Pauses {
  const lanes = new Map<string, { at: number; ms: number }>()
  const documents = new Map<string, { at: number; limit: ReadLimit }>()

  return {
    require(lane, document) {
      // The document is checked first, so that a background job that repeats it can move on to other
      // documents.
      const known = documents.size > 0 && documents.get(keyOf(lane, document))
      if (known && now() - known.at < rememberedMs) throw tooMuch(known.limit)
      const pause = lane === undefined ? undefined : lanes.get(lane)
      const leftMs = pause ? pause.at + pause.ms - now() : 0
      if (leftMs > 0)
        throw tooManyRequests(
          'a recent workflow took too much time or memory to read; try again later',
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

/** Creates the error for a workflow that exceeded a limit of the thread. */
export const tooMuch = (limit: ReadLimit): Error =>
  unprocessable(`Reading the workflow took too much ${limit}.`, {
    field: 'workflow',
    reason: { code: 'workflowTooMuch', limit },
  })

/**
 * Whether an error means that reading a workflow exceeded a limit. For another caller, or later, it may
 * succeed.
 */
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
