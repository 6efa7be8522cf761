import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Figures, median, readPath } from './load'
import { seed } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const out = (line = '') => process.stdout.write(`${line}\n`)

interface Side {
  name: string
  server: ServerProcess
}

/**
 * Prints how many requests per second one and two server processes on the same database answer, the CPU time per
 * request of all their processes, how much of a core the load generator took meanwhile, and their memory. The
 * two take turns.
 */
export async function benchProcesses(data: ServerData): Promise<void> {
  const { reader } = await seed(data)
  const sides: Side[] = []
  for (const [count, port] of [
    ['1', 4625],
    ['2', 4626],
  ] as const) {
    const server = await startServer('dist/main.js', port, data, { GUILDHALL_PROCESSES: count })
    sides.push({ name: `processes: ${count}`, server })
  }
  await delay(10_000)
  for (const { name, server } of sides) out(`  ${name}, idle: ${await memoryOf(server.pid)}`)
  for (const [title, path, token] of [
    ['page: explore, signed out', '/explore'],
    ['page: sign-in', '/-/sign-in'],
    ['GET /user', '/api/v1/user', reader],
    ['GET /user/keys, 30 keys', '/api/v1/user/keys', reader],
  ] as const) {
    out(`  ${title}`)
    const results = sides.map(() => ({
      figures: [] as Figures[],
      generator: [] as number[],
      cpuMs: [] as number[],
    }))
    for (const { server } of sides) await readPath(server.url + path, 2, token)
    for (let round = 0; round < rounds; round++) {
      for (const [at, { server }] of sides.entries()) {
        const { user, system } = process.cpuUsage()
        const before = await cpuSecondsOf(server.pid)
        const figures = await readPath(server.url + path, seconds, token)
        const spent = (await cpuSecondsOf(server.pid)) - before
        results[at]!.figures.push(figures)
        results[at]!.cpuMs.push((1000 * spent) / (figures.requestsPerSecond * seconds))
        const used = process.cpuUsage({ user, system })
        results[at]!.generator.push((used.user + used.system) / 1e6 / seconds)
      }
    }
    for (const [at, { name }] of sides.entries()) {
      const { figures, generator, cpuMs } = results[at]!
      const { requestsPerSecond, p50Ms, p99Ms, failed } = median(figures)
      out(
        `    ${name}  ${requestsPerSecond.toFixed(0).padStart(6)} requests/s   p50 ${p50Ms} ms   p99 ${p99Ms} ms   ` +
          `failed ${failed}   CPU ${mean(cpuMs).toFixed(2)} ms per request   ` +
          `load generator ${(100 * mean(generator)).toFixed(0)}% of a core`,
      )
    }
    const [one = 0, two = 0] = results.map(({ figures }) => median(figures).requestsPerSecond)
    out(`    ratio ${(two / one).toFixed(2)}`)
  }
  for (const { name, server } of sides) {
    out(`  ${name}, after the load: ${await memoryOf(server.pid)}`)
    await server.stop()
  }
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length

const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '')

/** Returns the IDs of a process and of all processes that it has started. */
async function descendants(pid: number): Promise<number[]> {
  const children = (await read(`${pid}/task/${pid}/children`)).split(' ').map(Number).filter(Boolean)
  return [pid, ...(await Promise.all(children.map(descendants))).flat()]
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const all = (await descendants(pid)).map(async one => {
    const stat = await read(`${one}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // The kernel reports hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) / 100
  })
  return (await Promise.all(all)).reduce((sum, one) => sum + one, 0)
}

/** Describes the memory of a process and, in brackets, of each process below it. */
async function memoryOf(pid: number): Promise<string> {
  const sizes: number[] = []
  for (const one of await descendants(pid)) {
    const [, kib = 0] = /^Pss:\s+(\d+)/m.exec(await read(`${one}/smaps_rollup`)) ?? []
    sizes.push(Math.round(Number(kib) / 1024))
  }
  return `${sizes.reduce((sum, size) => sum + size, 0)} MiB (${sizes.join(' + ')})`
}
