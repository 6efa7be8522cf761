import { join } from 'node:path'
import { isDomainError, tooBusy } from '../errors'
import { type Client, createFairLimit } from '../fair-limit'
import { singleton } from '../singleton'
import { createThread, ThreadEnded, ThreadLimit } from '../thread'
import type { Reply } from './thread/entry'
import type { Operations } from './thread/operations'

/**
 * Why a text is shown as it is: a limit of its size or of its lines, or of the time or memory that it may take; or
 * the thread is busy or cannot be started, so that it may be shown otherwise later.
 */
export type Plain = 'too large' | 'long lines' | 'too slow' | 'unavailable'

type Input<Name extends keyof Operations> = Parameters<Operations[Name]>[0]
type Output<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>
type Answer<Name extends keyof Operations> = { result: Output<Name> } | { plain: Plain }

interface QuestionOptions {
  /** Most processor time in milliseconds. */
  deadlineMs?: number
  /** Who waits for the answer. Clients take turns. */
  client?: Client | undefined
}

/** Asks the thread, which handles one question at a time. */
export type Ask = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: QuestionOptions,
) => Promise<Answer<Name>>

interface AskOptions {
  file: string
  /** Most processor time of a question in milliseconds, unless it has a limit of its own. */
  deadlineMs?: number
  /** Memory limit for JavaScript values, in MiB. */
  memoryMb?: number
  /** Most questions that wait. */
  maxQueue?: number
  /** How long a question waits, in milliseconds. Somebody is waiting for a page. */
  maxWaitMs?: number
}

const nobody: Client = { address: '', isAnonymous: true }
const idleMs = 60_000
// How much longer than its processor time a question can take on a busy machine.
const clockFactor = 4

/**
 * Creates what asks the thread that runs `file`. A question that takes too long or too much memory ends the
 * thread, and the next question starts another one.
 */
export function createAsk({
  file,
  deadlineMs = 500,
  memoryMb = 192,
  maxQueue = 50,
  maxWaitMs = 3_000,
}: AskOptions): Ask {
  const limits = (ms: number) => ({ deadlineMs: ms, longestMs: clockFactor * ms })
  const thread = createThread({ file, ...limits(deadlineMs), memoryMb, idleMs })
  const shares = { address: 1, anonymousAddress: 1, anonymous: 1 }
  const enter = createFairLimit({ concurrency: 1, maxQueue, timeoutMs: maxWaitMs, ...shares }, tooBusy)

  return async <Name extends keyof Operations>(
    name: Name,
    input: Input<Name>,
    { deadlineMs: ms = deadlineMs, client = nobody } = {},
  ): Promise<Answer<Name>> => {
    try {
      return await enter(client, async () => {
        const reply = (await thread({ name, input }, limits(ms))) as Reply
        if ('result' in reply) return { result: reply.result as Output<Name> }
        warn(`a text could not be rendered: ${reply.failure}`)
        return { plain: 'unavailable' as const }
      })
    } catch (error) {
      return { plain: plainAfter(error, file) }
    }
  }
}

function plainAfter(error: unknown, file: string): Plain {
  if (error instanceof ThreadLimit) return error.limit === 'processor' ? 'unavailable' : 'too slow'
  if (error instanceof ThreadEnded)
    warn(`${file}, which renders texts, exited (${error.message}); if it is missing, run npm run build`)
  else if (!isDomainError(error)) throw error
  return 'unavailable'
}

// Everyone who opens the page would repeat the line.
const warned = new Set<string>()

function warn(line: string): void {
  if (warned.has(line) || warned.size >= 100) return
  warned.add(line)
  process.emitWarning(line)
}

/** Asks the thread of this process that highlights and renders untrusted texts. */
export const askTextThread: Ask = (name, input, options) => {
  // Shared by all copies of this module, because Next.js bundles its own.
  const ask = singleton('text-thread', () => createAsk({ file: join(process.cwd(), 'dist/text-thread.js') }))
  return ask(name, input, options)
}
