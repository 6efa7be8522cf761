import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy } from '@/server/kernel/errors'
import { orUnreadable } from '@/server/kernel/git/unreadable'
import type { Answer } from '@/server/kernel/http/call'
import { type Pace, startGraceTimer } from '@/server/kernel/http/pace'
import { createSharedFairLimit } from '@/server/kernel/processes/shared-fair-limit'

/**
 * Responds with a stream for which Git runs while the client reads. Rejects if Git fails before it has written
 * anything.
 */
export type StreamLimit = (
  ctx: ServiceCtx,
  answer: Pick<Answer, 'status' | 'headers'>,
  open: () => Readable,
) => Promise<Answer>

const processors = availableParallelism()
const limits = {
  concurrency: 8 * processors,
  maxQueue: 100,
  timeoutMs: 30_000,
  address: 2 * processors,
  anonymousAddress: processors,
  anonymous: 6 * processors,
}

/** Streams that are as fast as the client, and those for which Git computes all the time. */
const kinds = {
  reading: limits,
  computing: {
    ...limits,
    concurrency: processors,
    address: Math.ceil(processors / 2),
    anonymousAddress: Math.ceil(processors / 2),
    anonymous: Math.ceil(processors / 2),
  },
}

// Who reads more slowly would keep others from reading.
const slowest: Pace = { graceMs: 120_000, bytesPerSecond: 4096 }

/**
 * Creates a limit of streams, with fair shares per client address. A stream holds its slot until it has ended, and ends
 * if the client reads it too slowly.
 */
export function createStreamLimit(name: string, kind: keyof typeof kinds, pace = slowest): StreamLimit {
  const limit = createSharedFairLimit(name, kinds[kind], tooBusy)
  return (ctx, answer, open) =>
    new Promise((resolve, reject) => {
      const { caller, remoteAddress: address, disconnected } = ctx
      limit({ address, isAnonymous: isAnonymous(caller), disconnected }, async () => {
        const content = open()
        const body: Readable = Readable.from(
          atPace(content, pace, error => body.destroy(error)),
          { objectMode: false },
        )
        await orUnreadable(ctx, () => begun(content, disconnected?.()))
        resolve({ ...answer, body })
        await once(body, 'close').catch(() => undefined)
      }).catch(reject)
    })
}

const tooSlow = (): Error => new Error('the client reads too slowly')

async function* atPace(
  content: Readable,
  pace: Pace,
  refuse: (error: Error) => void,
): AsyncGenerator<Buffer> {
  const grace = startGraceTimer(pace, tooSlow)
  for await (const chunk of content) {
    let receive = () => {}
    const received = new Promise<void>(resolve => {
      receive = resolve
    })
    grace.waitFor(received).catch(refuse)
    try {
      yield chunk as Buffer
    } finally {
      receive()
    }
    grace.gained((chunk as Buffer).length)
  }
}

async function begun(body: Readable, disconnected: AbortSignal | undefined): Promise<void> {
  try {
    await once(body, 'readable', disconnected && { signal: disconnected })
  } catch (error) {
    body.destroy()
    throw disconnected?.aborted ? tooBusy() : error
  }
}
