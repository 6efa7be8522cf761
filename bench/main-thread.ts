/** A setting of Node that has a server tell how long its main thread is held up, at a port of its own. */
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

/** A setting of Node that has a server hold so many MiB more. */
export const holdingMb = (mb: number): string =>
  importing(`
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) globalThis.ballast = Buffer.alloc(${mb} * 1024 * 1024, 1)`)

/** Milliseconds for which the main thread of the server that tells at this port was held up at most since the last call. */
export const longestStretch = async (port: number): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}`)).text())

const importing = (module: string): string => `--import=data:text/javascript,${encodeURIComponent(module)}`
