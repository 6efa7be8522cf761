import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { launch, useLauncher } from '@/server/kernel/launcher/launch'

// Starts many commands, directly or through the launcher, and prints the rate, the longest delay of the main
// thread, and the memory usage as JSON.
const [way, mb, count, concurrency] = process.argv.slice(2) as [string, string, string, string]
if (way === 'launcher') await useLauncher(`${process.cwd()}/dist/launcher.js`)
const size = (): number => process.memoryUsage.rss() / 1024 ** 2
const ballast: Buffer[] = []
while (size() < Number(mb)) ballast.push(Buffer.alloc(1024 ** 2, 1))
let left = Number(count)
const work = async (): Promise<void> => {
  while (left-- > 0) {
    const child = launch({ script: 'exec true', args: [], env: {} })
    child.stdin.end()
    child.stdout.resume()
    child.stderr.resume()
    await once(child, 'close')
  }
}
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const started = performance.now()
await Promise.all(Array.from({ length: Number(concurrency) }, work))
const perSecond = Number(count) / ((performance.now() - started) / 1000)
process.stdout.write(JSON.stringify({ perSecond, longestMs: delay.max / 1e6, mb: Math.round(size()) }))
process.exit()
