/**
 * Returns a Node option that makes a server report the longest delay of its main thread on a port of its own.
 */
export function watchingMainThread(port: number): string {
  const module = `
    import { createServer } from 'node:http'
    import { monitorEventLoopDelay } from 'node:perf_hooks'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      createServer((_, response) => {
        response.end(String(delay.max / 1e6))
        delay.reset()
      }).listen(${port}, '127.0.0.1').unref()
    }`
  return importing(module)
}

/** Returns a Node option that makes a server allocate this many additional MiB of memory. */
export const holdingMb = (mb: number): string =>
  importing(`
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) globalThis.ballast = Buffer.alloc(${mb} * 1024 * 1024, 1)`)

/**
 * Returns the longest delay of a server's main thread since the last call, in milliseconds. The server must
 * run with `watchingMainThread` for this port.
 */
export const longestStretch = async (port: number): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}`)).text())

const importing = (module: string): string => `--import=data:text/javascript,${encodeURIComponent(module)}`
