import { setTimeout as delay } from 'node:timers/promises'
import { freshKey } from './load'
import { seed, type Tokens } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const writers = 4
const creations = 20
const held = 3
const out = (line = '') => process.stdout.write(`${line}\n`)

interface Site extends ServerProcess {
  tokens: Tokens
}

/**
 * Prints how long it takes to create a repository while four concurrent clients add SSH keys, on PostgreSQL
 * and on the embedded database.
 */
export async function benchCreations(onServer: ServerData, embedded: ServerData): Promise<void> {
  const sites = [await startSite(4613, onServer), await startSite(4614, embedded)] as const
  try {
    const alone = [await createAll(sites[0], 5), await createAll(sites[1], 5)]
    // The databases take turns, so that background load affects both equally.
    const alongside: [number[], number[]] = [[], []]
    for (let round = 0; round < 4; round++) {
      for (const [index, site] of sites.entries()) {
        alongside[index]!.push(...(await duringWrites(site, () => createAll(site, creations / 4))))
      }
    }
    const [server, inside] = alongside.map(median) as [number, number]
    const ratio = inside / server
    out(
      `  alone             PostgreSQL ${median(alone[0]!).toFixed(0)} ms, embedded ${median(alone[1]!).toFixed(0)} ms`,
    )
    out(
      `  with ${writers} writers    PostgreSQL ${server.toFixed(0)} ms, embedded ${inside.toFixed(0)} ms: ratio ${ratio.toFixed(1)}` +
        (ratio > held ? `  ABOVE ${held}` : ''),
    )
  } finally {
    for (const site of sites) await site.stop()
  }
}

async function startSite(port: number, data: ServerData): Promise<Site> {
  const tokens = await seed(data)
  return { ...(await startServer('dist/main.js', port, data)), tokens }
}

async function duringWrites<T>({ url, tokens }: Site, work: () => Promise<T>): Promise<T> {
  let isOver = false
  let added = 0
  const write = async (): Promise<void> => {
    while (!isOver) {
      const token = tokens.adders[added++ % tokens.adders.length]!
      await post(`${url}/api/v1/user/keys`, token, freshKey())
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  await delay(500)
  try {
    return await work()
  } finally {
    isOver = true
    await writing
  }
}

async function createAll({ url, tokens }: Site, count: number): Promise<number[]> {
  const times: number[] = []
  for (let created = 0; created < count; created++) {
    const started = performance.now()
    await post(`${url}/api/v1/user/repos`, tokens.reader, { name: freshKey().title, auto_init: true })
    times.push(performance.now() - started)
  }
  return times
}

async function post(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`${response.status} for ${url}`)
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
