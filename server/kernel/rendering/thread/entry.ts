import { parentPort } from 'node:worker_threads'
import { operations } from './operations'

// Entry point of the thread that ask.ts starts; `npm run build` bundles this module into a separate file.

/** Question to the thread: the name of an operation and its input. */
interface Question {
  name: keyof typeof operations
  input: never
}

/** Answer of the thread: the result, or an unexpected failure. */
export type Reply = { result: unknown } | { failure: string }

parentPort?.on('message', async (question: Question) => {
  parentPort?.postMessage(await replyTo(question))
})
parentPort?.postMessage('loaded')

async function replyTo({ name, input }: Question): Promise<Reply> {
  try {
    const operation: (input: never) => unknown = operations[name]
    return { result: await operation(input) }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
