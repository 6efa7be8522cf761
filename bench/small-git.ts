import { execFile, spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { holdingMb, longestStretch, watchingMainThread } from '@/testing/main-thread'
import { tokenFor } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const run = promisify(execFile)
const rounds = 3
const concurrency = 8
const out = (line = '') => process.stdout.write(`${line}\n`)

/** A server with a small repository. */
interface Side {
  name: string
  server: ServerProcess
  watchPort: number
  api: (path: string, init?: { method: string; body: object }) => Promise<Response>
  remote: (repository: string) => string
}

/** Measures an operation that is repeated many times. Returns its rate per second. */
type Work = (side: Side, round: number) => Promise<number>

/**
 * Prints how many small Git operations per second a server of 450 MB performs, with the launcher and without,
 * and how these operations slow down other requests. The two servers take turns.
 */
export async function benchSmallGit(
  dataOf: (name: string) => Promise<ServerData>,
  workDir: string,
): Promise<void> {
  await mkdir(workDir, { recursive: true })
  const sides = [
    await openSide('launcher', 'dist/main.js', 4617, await dataOf('launcher')),
    await openSide('directly', 'dist/bench-direct.js', 4619, await dataOf('directly')),
  ] as const
  try {
    for (const side of sides) {
      out(`  ${side.name.padEnd(9)} ${await side.server.residentMb()} MB`)
      await seed(side, workDir)
    }
    const works: [string, Work][] = [
      ['ls-remote of a small repository', listRefs],
      ['git clone of a small repository', (side, round) => clone(side, join(workDir, `clones-${round}`))],
      ['git push to small repositories', (side, round) => push(side, workDir, round)],
    ]
    for (const [title, work] of works) {
      const [ours = 0, direct = 0] = await inTurns(sides, work)
      out(
        `  ${title.padEnd(33)} ${ours.toFixed(1).padStart(6)} /s, directly ${direct.toFixed(1).padStart(6)} /s   ` +
          `ratio ${(ours / direct).toFixed(1)}`,
      )
    }
    for (const side of sides) await duringListings(side)
  } finally {
    for (const { server } of sides) await server.stop()
  }
}

async function openSide(name: string, script: string, port: number, data: ServerData): Promise<Side> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  await close()
  const watchPort = port + 1
  const server = await startServer(script, port, data, {
    NODE_OPTIONS: `${watchingMainThread(watchPort)} ${holdingMb(data.databaseUrl ? 200 : 0)}`,
  })
  return {
    name,
    server,
    watchPort,
    api: async (path, init) => {
      const response = await fetch(`${server.url}/api/v1${path.replace('OWNER', owner.name)}`, {
        ...(init ? { method: init.method, body: JSON.stringify(init.body) } : {}),
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    },
    remote: repository =>
      `${server.url.replace('//', `//${owner.name}:${token}@`)}/${owner.name}/${repository}.git`,
  }
}

async function seed({ api, remote }: Side, workDir: string): Promise<void> {
  for (let index = 0; index < concurrency; index++) {
    await api('/user/repos', { method: 'POST', body: { name: `small-${index}`, auto_init: true } })
  }
  const local = join(workDir, 'seed')
  await run('git', ['clone', '-q', remote('small-0'), local])
  for (let index = 0; index < 20; index++) await run('git', ['branch', `topic-${index}`], { cwd: local })
  await run('git', ['push', '-q', '--all'], { cwd: local })
  await rm(local, { recursive: true })
}

async function inTurns(sides: readonly Side[], work: Work): Promise<number[]> {
  const all = sides.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const rate = await work(side, round)
      // The first round only warms up the JIT compiler.
      if (round > 0) all[index]?.push(rate)
    }
  }
  return all.map(rates => rates.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number)
}

const listRefs: Work = ({ remote }) => shellRate(25, () => `git ls-remote -q ${remote('small-0')} >/dev/null`)

async function clone({ remote }: Side, directory: string): Promise<number> {
  await mkdir(directory)
  const rate = await shellRate(5, lane => `git clone -q ${remote('small-0')} '${directory}'/${lane}-$i`)
  await rm(directory, { recursive: true })
  return rate
}

async function push({ name, remote }: Side, workDir: string, round: number): Promise<number> {
  const locations = Array.from({ length: concurrency }, (_, lane) => join(workDir, `push-${name}-${lane}`))
  if (round === 0) {
    for (const [lane, location] of locations.entries()) {
      await run('git', ['clone', '-q', remote(`small-${lane}`), location])
    }
  }
  const commit = 'git -c user.name=b -c user.email=b@example.test commit -q --allow-empty -m note'
  return await shellRate(4, lane => `cd '${locations[lane]}' && ${commit} && git push -q`)
}

/**
 * Runs a shell command this many times in each of eight concurrent loops, and returns the rate per second.
 */
async function shellRate(times: number, lineOf: (lane: number) => string): Promise<number> {
  const numbers = Array.from({ length: times }, (_, index) => index).join(' ')
  const started = performance.now()
  // A shell runs the loop, because starting that many processes would block Node.
  await Promise.all(
    Array.from({ length: concurrency }, (_, lane) =>
      run('sh', ['-c', `for i in ${numbers}; do ${lineOf(lane)} || exit 1; done`]),
    ),
  )
  return (times * concurrency) / ((performance.now() - started) / 1000)
}

/**
 * Prints the response time of `/healthz` and the longest delay of the main thread, at rest and during eight
 * concurrent loops of `git ls-remote`.
 */
async function duringListings(side: Side): Promise<void> {
  const health = async (ms: number): Promise<{ median: number; longest: number }> => {
    const times: number[] = []
    await longestStretch(side.watchPort)
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const asked = performance.now()
      await (await fetch(`${side.server.url}/healthz`)).text()
      times.push(performance.now() - asked)
      await delay(5)
    }
    times.sort((a, b) => a - b)
    return {
      median: times[Math.floor(times.length / 2)] ?? 0,
      longest: (await longestStretch(side.watchPort)).delayMs,
    }
  }
  await health(1_000)
  const rest = await health(4_000)
  const line = `while :; do git ls-remote -q ${side.remote('small-0')} >/dev/null; done`
  // Outside of benchmarks, clients run on other hosts. Low priority leaves the CPUs to the server.
  const loops = Array.from({ length: concurrency }, () =>
    spawn('nice', ['-n', '19', 'sh', '-c', line], { stdio: 'ignore' }),
  )
  await delay(1_000)
  const alongside = await health(6_000).finally(() => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
  out(
    `  /healthz, ${side.name.padEnd(8)} median ${rest.median.toFixed(2)} ms at rest, ${alongside.median.toFixed(2)} ms during 8 loops of ls-remote; ` +
      `main thread blocked for at most ${rest.longest.toFixed(0)} and ${alongside.longest.toFixed(0)} ms`,
  )
}
