import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy, unavailable, unprocessable } from '@/server/kernel/errors'
import { createFairLimit } from '@/server/kernel/fair-limit'
import { addressNetwork } from '@/server/kernel/ip-address'
import { createThread, ThreadEnded, ThreadLimit, type ThreadOptions } from '@/server/kernel/thread'
import type { Reply } from './entry'
import type { Operations } from './operations'
import { createPauses, tooMuch } from './pauses'

/**
 * Client that a workflow is read for, which limits how many workflows one client can have read at the same
 * time. A background job sets `accountId` instead.
 */
export interface Asking extends Pick<ServiceCtx, 'caller' | 'remoteAddress' | 'disconnected' | 'log'> {
  accountId?: number
  /** Whether the workflow is only viewed and may have been written by someone else. */
  isLooking?: boolean
}

export type Input<Name extends keyof Operations> = Parameters<Operations[Name]>[0]
export type Output<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>

/** Has the thread run an operation on a workflow. */
export type Reader = <Name extends keyof Operations>(
  asking: Asking,
  name: Name,
  input: Input<Name>,
) => Promise<Output<Name>>

/**
 * Maximum CPU time of a question in milliseconds. `longestMs` limits the total time of one that does not get
 * the CPU, and `memoryMb` the memory. Workflows within all other limits take less than half a second.
 */
export const deadlineMs = 3_000
export const longestMs = 4 * deadlineMs
export const memoryMb = 256
const idleMs = 10_000

const limits = { concurrency: 1, maxQueue: 500, timeoutMs: 30_000 }
const shares = { address: 1, anonymousAddress: 1, anonymous: 1 }

/**
 * Creates a reader that sends questions to a thread running the given file. Lanes take turns, and a lane
 * pauses after its workflow exceeded a limit.
 */
export function createReader(
  file: string,
  options: Partial<Pick<ThreadOptions, 'deadlineMs' | 'longestMs'>> = {},
): Reader {
  const limit = createFairLimit({ ...limits, ...shares }, tooBusy)
  const thread = createThread({ file, deadlineMs, longestMs, memoryMb, idleMs, ...options })
  const pauses = createPauses(options.deadlineMs ?? deadlineMs)

  return async <Name extends keyof Operations>(
    asking: Asking,
    name: Name,
    input: Input<Name>,
  ): Promise<Output<Name>> => {
    const { remoteAddress: address, disconnected } = asking
    const account = accountOf(asking)
    const lane = account === undefined ? undefined : `account ${account}`
    const pausing = asking.isLooking ? undefined : (lane ?? addressNetwork(address))
    const document = 'document' in input ? input.document : undefined
    const reply = await limit({ address, isAnonymous: lane === undefined, lane, disconnected }, async () => {
      if (document !== undefined) pauses.require(pausing, document)
      return await thread({ name, input }).catch(error => {
        if (!(error instanceof ThreadLimit))
          throw error instanceof ThreadEnded ? refuse(asking, file, error) : error
        const { limit } = error
        pauses.note(pausing, document, limit)
        throw limit === 'processor' ? starved(asking, error) : tooMuch(limit)
      })
    })
    return resultOf(reply as Reply) as Output<Name>
  }
}

const accountOf = ({ accountId, caller }: Asking): number | undefined =>
  accountId ?? (caller.kind === 'user' ? caller.user.id : undefined)

function refuse({ log }: Asking, file: string, error: ThreadEnded): Error {
  log.error(
    { file, reason: error.message },
    'workflows cannot be read because their thread exited; if its file is missing, run npm run build',
  )
  return notNow(error)
}

function starved({ log }: Asking, cause: ThreadLimit): Error {
  log.warn('a workflow cannot be read because its thread does not get CPU time')
  return notNow(cause)
}

const notNow = (cause: Error): Error =>
  unavailable('workflows cannot be read right now; try again in a moment', { cause, retryAfterSeconds: 5 })

function resultOf(reply: Reply): unknown {
  if ('refusal' in reply) {
    const { message, field } = reply.refusal
    throw unprocessable(message, field === undefined ? {} : { field })
  }
  if ('failure' in reply) throw new Error(`a workflow could not be read: ${reply.failure}`)
  return reply.result === undefined ? undefined : JSON.parse(reply.result)
}
