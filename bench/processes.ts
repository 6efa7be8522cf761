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
 * Prints how many requests per second one and two server processes on the same database answer, how much of a
 * core the load generator took meanwhile, and their memory. The two take turns.
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
    const results = sides.map(() => ({ figures: [] as Figures[], generator: [] as number[] }))
    for (const { server } of sides) await readPath(server.url + path, 2, token)
    for (let round = 0; round < rounds; round++) {
      for (const [at, { server }] of sides.entries()) {
        const { user, system } = process.cpuUsage()
        results[at]!.figures.push(await readPath(server.url + path, seconds, token))
        const used = process.cpuUsage({ user, system })
        results[at]!.generator.push((used.user + used.system) / 1e6 / seconds)
      }
    }
    for (const [at, { name }] of sides.entries()) {
      const { figures, generator } = results[at]!
      const { requestsPerSecond, p50Ms, p99Ms, failed } = median(figures)
      const share = generator.reduce((sum, one) => sum + one, 0) / generator.length
      out(
        `    ${name}  ${requestsPerSecond.toFixed(0).padStart(6)} requests/s   p50 ${p50Ms} ms   p99 ${p99Ms} ms   ` +
          `failed ${failed}   load generator ${(100 * share).toFixed(0)}% of a core`,
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

/** Describes the memory of a process and, below it, of all processes that it has started. */
async function memoryOf(pid: number): Promise<string> {
  const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '')
  const descendants = async (of: number): Promise<number[]> => {
    const children = (await read(`${of}/task/${of}/children`)).split(' ').map(Number).filter(Boolean)
    return [of, ...(await Promise.all(children.map(descendants))).flat()]
  }
  const sizes: number[] = []
  for (const one of await descendants(pid)) {
    const [, kib = 0] = /^Pss:\s+(\d+)/m.exec(await read(`${one}/smaps_rollup`)) ?? []
    sizes.push(Math.round(Number(kib) / 1024))
  }
  return `${sizes.reduce((sum, size) => sum + size, 0)} MiB (${sizes.join(' + ')})`
}
