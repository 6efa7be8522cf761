import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const rounds = 3
const out = (line = '') => process.stdout.write(`${line}\n`)

interface Starts {
  perSecond: number
  /** The longest delay of the process's main thread in milliseconds. */
  longestMs: number
  /** The memory usage of the process in MiB. */
  mb: number
}

const ways = ['launcher', 'directly'] as const

/**
 * Prints how many commands per second a process of 100 or 450 MB starts, through the launcher and directly.
 * The two take turns.
 */
export async function benchStarts(): Promise<void> {
  for (const mb of [100, 450]) {
    const all = { launcher: [] as Starts[], directly: [] as Starts[] }
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) all[way].push(await start(way, mb))
    }
    const [launcher, directly] = [median(all.launcher), median(all.directly)]
    const ratio = (launcher.perSecond / directly.perSecond).toFixed(1)
    out(`  From a process of ${directly.mb} MB, 8 at a time:`)
    for (const [name, { perSecond, longestMs }] of [
      ['through the launcher', launcher] as const,
      ['directly', directly] as const,
    ]) {
      out(
        `    ${name.padEnd(21)} ${perSecond.toFixed(0).padStart(4)} starts/s   ` +
          `main thread blocked for at most ${longestMs.toFixed(0)} ms`,
      )
    }
    out(`    ratio ${ratio}`)
  }
}

async function start(way: (typeof ways)[number], mb: number): Promise<Starts> {
  const args = ['dist/bench-starts.js', way, String(mb), way === 'launcher' ? '800' : '200', '8']
  return JSON.parse((await run(process.execPath, args)).stdout)
}

const median = (all: Starts[]): Starts =>
  all.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)] as Starts
