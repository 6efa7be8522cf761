import { parentPort } from 'node:worker_threads'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import { operations } from './operations'

// Entry point of the thread that ask.ts starts; `npm run build` bundles this module into a separate file.

/** Question to the thread: the name of an operation and its input. */
export interface Question {
  name: keyof typeof operations
  input: never
}

/** Answer of the thread: the result as JSON, a refusal of the workflow, or an unexpected failure. */
export type Reply =
  | { result: string | undefined }
  | { refusal: { message: string; field: string | undefined } }
  | { failure: string }

// In characters: copying a longer result would block the main thread.
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
      throw unprocessable('The workflow is too large after expansion.', { field: 'workflow' })
    return { result }
  } catch (error) {
    if (isDomainError(error) && error.kind === 'unprocessable')
      return { refusal: { message: error.message.slice(0, maxMessage), field: error.field } }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
