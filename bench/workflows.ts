import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { longestStretch, watchingMainThread } from '@/testing/main-thread'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const rounds = 5
const windowMs = 1_000
const heldMs = 50
const watchPort = 4616
const out = (line = '') => process.stdout.write(`${line}\n`)

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')
const steps = 'runs-on: x, steps: [{ run: make }]'
const jobsOf = (count: number, extra: (at: number) => string): string =>
  `on: push\njobs:\n${many(count, at => `  j${at}: { ${extra(at)}${steps} }`)}\n`
const chainOf = (count: number): string => jobsOf(count, at => (at > 0 ? `needs: j${at - 1}, ` : ''))
const includesOf = (count: number): string =>
  'on: push\njobs:\n  a:\n    runs-on: x\n    steps: [{ run: make }]\n    strategy:\n      matrix:\n' +
  `        include:\n${many(count, at => `          - { os: l${at} }`)}\n`
const cronsOf = (count: number): string =>
  `on:\n  schedule:\n${many(count, at => `    - cron: '${at % 60} * * * *'`)}\njobs:\n  a: { ${steps} }\n`

const workflows: [string, string, number][] = [
  ['1,000 jobs in a chain', chainOf(1000), 422],
  ['256 jobs in a chain', chainOf(256), 201],
  ['1,000 independent jobs', jobsOf(1000, () => ''), 201],
  ['3,000 include entries', includesOf(3000), 422],
  ['256 include entries', includesOf(256), 201],
  ['64 include entries', includesOf(64), 201],
  ['5,000 cron lines', cronsOf(5000), 422],
  ['50 cron lines', cronsOf(50), 201],
]

/**
 * Prints how long the server's main thread is blocked while it creates and plans a run of each of several
 * large workflows, in excess of an idle server.
 */
export async function benchWorkflows(data: ServerData): Promise<void> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  await close()
  const server = await startServer('dist/main.js', 4615, data, {
    NODE_OPTIONS: watchingMainThread(watchPort),
  })
  const post = async (path: string, body: object, status: number): Promise<void> => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== status) throw new Error(`${response.status}: ${text}`)
  }
  const create = (workflow: string, status: number): Promise<void> =>
    post(`/repos/${owner.name}/planned/actions/runs`, { workflow, path: 'a.yml', ref: 'main' }, status)
  try {
    await post('/user/repos', { name: 'planned', auto_init: true, default_branch: 'main' }, 201)
    // Runs each workflow once to warm up the JIT compiler.
    for (const [, workflow, status] of workflows) await create(workflow, status)
    await delay(2 * windowMs)
    for (const [name, workflow, status] of workflows) {
      const above: number[] = []
      for (let round = 0; round < rounds; round++) {
        await longestStretch(watchPort)
        await delay(windowMs)
        const idle = (await longestStretch(watchPort)).delayMs
        await create(workflow, status)
        await delay(windowMs)
        above.push(Math.max(0, (await longestStretch(watchPort)).delayMs - idle))
      }
      above.sort((a, b) => a - b)
      const [median, most] = [above[Math.floor(rounds / 2)] as number, above.at(-1) as number]
      out(
        `    ${name.padEnd(26)} median ${median.toFixed(0).padStart(3)} ms, longest ${most.toFixed(0).padStart(3)} ms above idle` +
          (median > heldMs ? `  ABOVE ${heldMs}` : ''),
      )
    }
  } finally {
    await server.stop()
  }
}
