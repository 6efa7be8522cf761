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
const batchLength = 8 * 1024
const maxHeldLength = 1024 * 1024
const endMs = 1_000
const retryMs = 10

/**
 * Creates an output for which `write` writes bytes immediately and returns how many, as on a file descriptor. If
 * that does not accept more, lines are held up to 1 MiB. Further ones are dropped, and a line says how many.
 */
export function createLogOutput(write = (bytes: Uint8Array): number => writeSync(1, bytes)): LogOutput {
  let held = ''
  let rest: Uint8Array = Buffer.of()
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    try {
      while (rest.length > 0 || held !== '') {
        if (rest.length === 0) {
          rest = Buffer.from(held)
          held = ''
        }
        rest = rest.subarray(write(rest))
      }
    } catch (error) {
      // Nobody reads anymore. All other failures can pass.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') rest = Buffer.of()
    }
    if (rest.length > 0) {
      timer ??= setInterval(flush, batchMs).unref()
      return
    }
    clearInterval(timer)
    timer = undefined
    if (dropped > 0) reportDropped()
  }

  function reportDropped(): void {
    const msg = `${dropped} lines were dropped, because standard output did not accept them`
    dropped = 0
    hold(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`)
    flush()
  }

  function hold(line: string): void {
    if (rest.length + held.length + line.length > maxHeldLength) dropped++
    else held += line
  }

  return {
    write(line) {
      hold(line)
      flush()
    },
    writeSoon(line) {
      hold(line)
      if (rest.length === 0 && held.length > batchLength) flush()
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
