import { openDatabase } from '@/db/client'
import { type Crowd, makeCrowd } from '@/db/testing/crowd'
import { makeUser } from '@/db/testing/factories'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const few = 1_000
const many = 100_000
const each = (size: number) => ({ people: size, teams: size, repositories: size })
const samples = Number(process.env.BENCH_SAMPLES ?? 1_500)
const held = 1.3
const out = (line = '') => process.stdout.write(`${line}\n`)

const lists: [title: string, path: (crowd: Crowd) => string][] = [
  ['teams of an organization', ({ org }) => `/orgs/${org}/teams`],
  ['search for teams', ({ org }) => `/orgs/${org}/teams/search`],
  ['members of a team', ({ teamId }) => `/teams/${teamId}/members`],
  ['members of an organization', ({ org }) => `/orgs/${org}/members`],
  ['repositories of a team', ({ teamId }) => `/teams/${teamId}/repos`],
  ['repositories of an organization', ({ org }) => `/orgs/${org}/repos`],
]

/**
 * Prints how long the API takes for pages of lists with 1,000 and with 100,000 entries on the same server,
 * and the ratio.
 */
export async function benchLists(data: ServerData): Promise<void> {
  // The first start marks the directories as the site's. Later, a start would miss the seeded repositories there.
  await (await startServer('dist/main.js', 4612, data)).stop()
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db, { is_admin: true })
  const token = await tokenFor(db, owner.id)
  const small = await makeCrowd(db, owner.id, each(few))
  const large = await makeCrowd(db, owner.id, each(many))
  await close()
  const server = await startServer('dist/main.js', 4612, data)
  try {
    for (const [title, path] of lists) {
      const times = await race(`${server.url}/api/v1`, token, path(small), path(large))
      const ratio = p95(times.large) / p95(times.small)
      out(
        `  ${title.padEnd(32)} p95 ${p95(times.small).toFixed(1)} ms at ${few.toLocaleString('en-US')}, ` +
          `${p95(times.large).toFixed(1)} ms at ${many.toLocaleString('en-US')}: ratio ${ratio.toFixed(2)}` +
          (ratio > held ? `  ABOVE ${held}` : ''),
      )
    }
  } finally {
    await server.stop()
  }
}

// The lists take turns, so that background load affects both equally, and the same pages are read from both.
async function race(
  base: string,
  token: string,
  small: string,
  large: string,
): Promise<{ small: number[]; large: number[] }> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let sample = -100; sample < samples; sample++) {
    const page = 1 + (Math.abs(sample) % 30)
    const first = await time(`${base}${small}?page=${page}`, token)
    const second = await time(`${base}${large}?page=${page}`, token)
    if (sample < 0) continue
    times.small.push(first)
    times.large.push(second)
  }
  return times
}

async function time(url: string, token: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, { headers: { authorization: `token ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${response.status} for ${url}`)
  return performance.now() - started
}

function p95(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)] as number
}
