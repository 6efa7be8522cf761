/**
 * Returns a Node option that makes a server report the longest delay of its main thread on a port of its own,
 * and the most processor time that the thread used between two turns of its event loop, which what else the host
 * does hardly changes.
 */
export function watchingMainThread(port: number): string {
  const module = `
    import { readFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    import { monitorEventLoopDelay } from 'node:perf_hooks'
    import { setFlagsFromString } from 'node:v8'
    import { isMainThread } from 'node:worker_threads'
    // Tests start servers without it.
    setFlagsFromString('--opt')
    if (isMainThread) {
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const file = '/proc/self/task/' + process.pid + '/schedstat'
      const usedMs = () => {
        try {
          return Number(readFileSync(file, 'latin1').split(' ')[0]) / 1e6
        } catch {
          return 0
        }
      }
      let before = usedMs()
      let longest = 0
      const look = () => {
        const now = usedMs()
        longest = Math.max(longest, now - before)
        before = now
      }
      setInterval(look, 5).unref()
      createServer((_, response) => {
        look()
        response.end(JSON.stringify({ delayMs: delay.max / 1e6, processorMs: longest }))
        delay.reset()
        longest = 0
      }).listen(${port}, '127.0.0.1').unref()
    }`
  return importing(module)
}

/** Returns a Node option that makes a server allocate this many additional MiB of memory. */
export const holdingMb = (mb: number): string =>
  importing(`
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) globalThis.ballast = Buffer.alloc(${mb} * 1024 * 1024, 1)`)

/** What a server's main thread did without a pause, at most, since the last call. */
export interface Stretch {
  delayMs: number
  /** Processor time; 0 on systems that do not tell it. */
  processorMs: number
}

/** Returns the longest stretch of a server that runs with `watchingMainThread` for this port. */
export const longestStretch = async (port: number): Promise<Stretch> =>
  (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Stretch

const importing = (module: string): string => `--import=data:text/javascript,${encodeURIComponent(module)}`
