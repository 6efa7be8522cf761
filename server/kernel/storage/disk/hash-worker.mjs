import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'

// The thread of part-hash.ts. Plain JavaScript, because it is started as a file of its own.

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)
const hashes = new Map()

const calls = {
  start: ({ id, from }) =>
    void hashes.set(id, from === undefined ? createHash('sha256') : known(from).copy()),

  async add({ id, paths }) {
    for (const path of paths) await addFile(known(id), path)
  },

  digest: ({ id }) => known(id).digest(),

  release: ({ id }) => void hashes.delete(id),
}

function known(id) {
  const hash = hashes.get(id)
  // The hash belonged to an earlier thread.
  if (!hash) throw new Error('the hash is lost')
  return hash
}

async function addFile(hash, path) {
  const file = openSync(path)
  try {
    for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, bytes))
      // Lets other hashes take turns.
      if (bytes === buffer.length) await setImmediate()
    }
  } finally {
    closeSync(file)
  }
}

parentPort.on('message', async ({ call, name, ...input }) => {
  try {
    parentPort.postMessage({ call, result: await calls[name](input) })
  } catch (error) {
    const { message, code, syscall } = error
    parentPort.postMessage({ call, failure: { message, code, syscall } })
  }
})
