import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy, unavailable, unprocessable } from '@/server/kernel/errors'
import { createFairLimit } from '@/server/kernel/fair-limit'
import { addressNetwork } from '@/server/kernel/ip-address'
import { createThread, ThreadEnded, ThreadLimit, type ThreadOptions } from '@/server/kernel/thread'
import type { Reply } from './entry'
import type { Operations } from './operations'
import { createPauses, tooMuch } from './pauses'

/** On whose behalf a workflow is read: the caller, unless work in the background names an account. */
export interface Asking extends Pick<ServiceCtx, 'caller' | 'remoteAddress' | 'disconnected' | 'log'> {
  accountId?: number
  /** It is only shown, and may be anybody's. */
  isLooking?: boolean
}

export type Input<Name extends keyof Operations> = Parameters<Operations[Name]>[0]
export type Output<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>

/** Has a workflow read by the thread. */
export type Reader = <Name extends keyof Operations>(
  asking: Asking,
  name: Name,
  input: Input<Name>,
) => Promise<Output<Name>>

/**
 * How long a question may have the processor, and how long it may take if it does not get it, and how much memory. What is within
 * the other limits takes less than half a second.
 */
export const deadlineMs = 3_000
export const longestMs = 4 * deadlineMs
export const memoryMb = 256
const idleMs = 10_000

const limits = { concurrency: 1, maxQueue: 500, timeoutMs: 30_000 }
const shares = { address: 1, anonymousAddress: 1, anonymous: 1 }

/** Makes what asks the thread that runs a file: lanes take turns, and one whose workflow was too much pauses. */
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
    'workflows cannot be read: their thread ended; if its file is missing, run npm run build',
  )
  return notNow(error)
}

function starved({ log }: Asking, cause: ThreadLimit): Error {
  log.warn('a workflow cannot be read: its thread does not get the processor')
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
