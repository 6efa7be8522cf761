import { parentPort } from 'node:worker_threads'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import { operations } from './operations'

// The thread of ask.ts: `npm run build` makes a file of its own of this module.

/** What the thread is asked. */
export interface Question {
  name: keyof typeof operations
  input: never
}

/** The result as JSON, or why there is none. */
export type Reply =
  | { result: string | undefined }
  | { refusal: { message: string; field: string | undefined } }
  | { failure: string }

// Of characters: copying more would hold up who asks.
const maxResult = 4 * 1024 * 1024
const maxMessage = 10_000

parentPort?.on('message', async (question: Question) => {
  parentPort?.postMessage(await replyTo(question))
})
parentPort?.postMessage('loaded')

async function replyTo({ name, input }: Question): Promise<Reply> {
  try {
    const operation: (input: never) => unknown = operations[name]
    const result = JSON.stringify(await operation(input)) as string | undefined
    if (result !== undefined && result.length > maxResult)
      throw unprocessable('The workflow is too long once it is expanded.', { field: 'workflow' })
    return { result }
  } catch (error) {
    if (isDomainError(error) && error.kind === 'unprocessable')
      return { refusal: { message: error.message.slice(0, maxMessage), field: error.field } }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
