import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { ensureDatabase } from '../directory'
import { execute } from '../execute'

// Entry point of the thread that start.ts starts; `npm run build` bundles this module into a separate file.

/** Call of the thread: protocol messages to execute, a directory to copy the files to, or the end. */
export type Call = Uint8Array | { copyTo: string } | 'close'

/** Reply to a call, or to the start: the response to protocol messages, nothing, or a failure. */
export type Reply = Uint8Array | undefined | { failure: string; isEnd: boolean }

const { directory } = workerData as { directory: string }

// The engine's memory never shrinks, and what it does not keep is read from the system's memory for files.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

async function start(): Promise<PGlite> {
  await ensureDatabase(directory)
  try {
    return await PGlite.create(directory, { startParams })
  } catch (error) {
    // The engine's own error says only that it failed.
    throw new Error(
      `GUILDHALL_DATA_DIR: the embedded database in ${directory} cannot be started. If its disk is full, free up space; ` +
        `otherwise, restore a backup. ${String(error)}`,
    )
  }
}

async function replyTo(pglite: PGlite, call: Call): Promise<Reply> {
  if (call instanceof Uint8Array) return await execute(pglite, call)
  if (call === 'close') return void (await pglite.close())
  // Between two calls of the engine, the files are as they would be if the process was killed.
  await cp(directory, call.copyTo, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return undefined
}

const port = parentPort!
const starting = start()
let last: Promise<unknown> = starting.then(
  () => port.postMessage(undefined),
  (error: Error) => port.postMessage({ failure: error.message, isEnd: false } satisfies Reply),
)
port.on('message', (call: Call) => {
  // Calls are executed one after the other, although copying the files lets others arrive.
  last = last.then(async () => {
    const reply = await replyTo(await starting, call).catch(failureOf)
    port.postMessage(reply, reply instanceof Uint8Array ? [reply.buffer as ArrayBuffer] : [])
  })
})

// The engine reports its own errors in the response.
function failureOf(error: unknown): Reply {
  const isTrap =
    error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.name === 'ExitStatus')
  return { failure: isTrap || !(error instanceof Error) ? String(error) : error.message, isEnd: isTrap }
}
