import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf, cpuSecondsOf, memoryOf } from '@/testing/process-tree'
import { ControlGroups, NoControlGroups } from './control-groups'
import { type Figures, median, readPath } from './load'
import { seed } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const out = (line = '') => process.stdout.write(`${line}\n`)

/** The share of a core that each process gets when cores are not to be scarce. */
const share = 0.4

interface Side {
  name: string
  count: number
  server: ServerProcess
}

/**
 * Prints how many requests per second one and two server processes on the same database answer, the CPU time per
 * request of all their processes, how much of a core the load generator took meanwhile, and their memory. The
 * two take turns: first with all cores, then with a share of a core for each process, as the database and the load
 * generator need cores as well.
 */
export async function benchProcesses(data: ServerData): Promise<void> {
  const { reader } = await seed(data)
  const sides: Side[] = []
  // The groups are removed after their processes have been stopped.
  await using groups = new ControlGroups()
  try {
    for (const [count, port] of [
      [1, 4625],
      [2, 4626],
    ] as const) {
      const server = await startServer('dist/main.js', port, data, { GUILDHALL_PROCESSES: String(count) })
      sides.push({ name: `processes: ${count}`, count, server })
    }
    await delay(10_000)
    for (const { name, server } of sides) out(`  ${name}, idle: ${await memoryOf(server.pid)}`)
    await compare(sides, reader)
    for (const { name, server } of sides) out(`  ${name}, after the load: ${await memoryOf(server.pid)}`)
    for (const side of sides) await limit(side, groups)
    out(`  each server process limited to ${100 * share}% of a core, so that cores are not scarce`)
    await compare(sides, reader)
  } catch (error) {
    if (!(error instanceof NoControlGroups)) throw error
    out(`  skipped, because control groups cannot be used: each server process limited to a share of a core`)
  } finally {
    for (const { server } of sides) await server.stop()
  }
}

async function limit({ server, count }: Side, groups: ControlGroups): Promise<void> {
  // A server of several processes has a supervisor, which has started them.
  const members = count === 1 ? [server.pid] : await childrenOf(server.pid)
  for (const member of members) await groups.limit(member, share)
}

async function compare(sides: readonly Side[], reader: string): Promise<void> {
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
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length
