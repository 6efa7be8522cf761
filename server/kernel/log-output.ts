import { writeSync } from 'node:fs'

/** Writes log lines in order. */
export interface LogOutput {
  /** Writes a line immediately, after those that wait. */
  write(line: string): void
  /** Writes a line together with later ones, after 50 ms at the latest. */
  writeSoon(line: string): void
  /** Writes everything before the process ends, and waits up to a second for a reader that is slow. */
  end(): void
}

const batchMs = 50
const batchLength = 3 * 1024
// Several processes can share a pipe, which keeps the bytes of one write together only up to this number.
const maxWriteBytes = 4096
const maxLines = 64
const maxHeldLength = 1024 * 1024
const endMs = 1_000
const retryMs = 10

/**
 * Creates an output for which `write` writes bytes immediately and returns how many, as on a file descriptor. If
 * that does not accept more, lines are held up to 1 MiB. Further ones are dropped, and a line says how many.
 */
export function createLogOutput(write = (bytes: Uint8Array): number => writeSync(1, bytes)): LogOutput {
  let held: string[] = []
  let heldLength = 0
  let rest: Uint8Array = Buffer.of()
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    try {
      while (rest.length > 0 || held.length > 0) {
        if (rest.length === 0) rest = takeLines()
        rest = rest.subarray(write(rest))
      }
    } catch (error) {
      // Nobody reads anymore. All other failures can pass.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
        rest = Buffer.of()
        held = []
        heldLength = 0
      }
    }
    if (rest.length > 0) {
      timer ??= setInterval(flush, batchMs).unref()
      return
    }
    clearInterval(timer)
    timer = undefined
    if (dropped > 0) reportDropped()
  }

  // At least one line, and more while they fit into one write.
  function takeLines(): Uint8Array {
    let [text = ''] = held
    let count = 1
    for (const line of held.slice(1, maxLines)) {
      if (Buffer.byteLength(text) + Buffer.byteLength(line) > maxWriteBytes) break
      text += line
      count++
    }
    held.splice(0, count)
    heldLength -= text.length
    return Buffer.from(text)
  }

  function reportDropped(): void {
    const msg = `${dropped} lines were dropped, because standard output did not accept them`
    dropped = 0
    hold(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`)
    flush()
  }

  function hold(line: string): void {
    if (rest.length + heldLength + line.length > maxHeldLength) dropped++
    else {
      held.push(line)
      heldLength += line.length
    }
  }

  return {
    write(line) {
      hold(line)
      flush()
    },
    writeSoon(line) {
      hold(line)
      if (rest.length === 0 && heldLength > batchLength) flush()
      else timer ??= setInterval(flush, batchMs).unref()
    },
    end() {
      const deadline = performance.now() + endMs
      flush()
      while (rest.length > 0 && performance.now() < deadline) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
        flush()
      }
    },
  }
}
