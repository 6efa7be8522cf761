import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { bareRepositories } from '@/testing/bare-repositories'
import { commits, directoryOf, files, fillRepository, tenKb } from './code-repository'
import { loadLightly } from './light-load'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const run = promisify(execFile)
const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const out = (line = '') => process.stdout.write(`${line}\n`)

const person = { name: 'ada', password: 'a long enough password' }
const home = `/${person.name}/engine`
const api = `/api/v1/repos${home}`

interface Contestant {
  title: string
  url: string
  /** How many times as fast as the baseline it should be; 0 for the baseline. */
  least: number
}

interface Figures {
  perSecond: number
  p50: number
  p95: number
  /** Part of a core that the load generator used. */
  ownShare: number
}

/** Prints how fast the code of a large repository can be read, beside calls and pages that read none. */
export async function benchCode(data: ServerData): Promise<void> {
  const settings = {
    GUILDHALL_ADMIN_USER: person.name,
    GUILDHALL_ADMIN_PASSWORD: person.password,
    GUILDHALL_ADMIN_EMAIL: 'ada@example.test',
  }
  const server = await startServer('dist/main.js', 4840, data, settings)
  try {
    const repository = await makeRepository(server, data)
    const bare = await startServer('dist/bench-bare-git.js', 4841, data, {
      BENCH_GIT_DIRECTORY: dirname(repository),
    })
    try {
      await compareAll(server, bare, repository)
    } finally {
      await bare.stop()
    }
  } finally {
    await server.stop()
  }
}

async function makeRepository({ url }: ServerProcess, { dataDir }: ServerData): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${person.name}:${person.password}`).toString('base64')}`
  const made = await fetch(`${url}/api/v1/user/repos`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'engine', auto_init: true, default_branch: 'main' }),
  })
  if (made.status !== 201) throw new Error(await made.text())
  const [repository] = await bareRepositories(dataDir)
  if (!repository) throw new Error('the repository has no directory')
  const begun = performance.now()
  await fillRepository(repository)
  const took = ((performance.now() - begun) / 1000).toFixed(1)
  out(`  ${commits} commits of ${files} files, made in ${took} s`)
  return repository
}

async function compareAll(server: ServerProcess, bare: ServerProcess, repository: string): Promise<void> {
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', ['-c', 'safe.directory=*', ...args], { cwd: repository })).stdout.trim()
  const tip = await git('rev-parse', 'main')
  const blob = await git('rev-parse', `main:${tenKb}`)
  const name = repository.slice(dirname(repository).length + 1)
  const at = (title: string, path: string, least: number): Contestant => ({
    title,
    url: server.url + path,
    least,
  })
  await compare(server, [
    at('GET repository', api, 0),
    at('raw, 10 KB', `${api}/raw/${tenKb}`, 1),
    at('contents, 10 KB', `${api}/contents/${tenKb}`, 0.8),
    at('commits, 30', `${api}/commits?limit=30&stat=false&files=false&verification=false`, 0.4),
    at('commits, 30, with changes', `${api}/commits?limit=30`, 0),
    at('commits, page 500', `${api}/commits?limit=30&page=500`, 0),
  ])
  await compare(server, [
    { title: 'git cat-file per request', url: `${bare.url}/${name}/blob/${blob}`, least: 0 },
    at('raw, 10 KB', `${api}/raw/${tenKb}`, 10),
    at('contents, 10 KB', `${api}/contents/${tenKb}`, 10),
  ])
  await firstRenders(server, git)
  const first = await git('rev-parse', 'main~30')
  const pages = [
    at('Explore', '/explore', 0),
    at('file', `${home}/src/branch/main/${tenKb}`, 0.8),
    at('directory', `${home}/src/branch/main/${directoryOf(1)}`, 0.8),
    at('commit', `${home}/commit/${tip}`, 0.8),
    at('comparison', `${home}/compare/${first}...${tip}`, 0.8),
    at('commits, page 1', `${home}/commits/branch/main`, 0),
    at('commits, page 500', `${home}/commits/branch/main?page=500`, 0),
  ]
  await compare(server, pages, { 'accept-encoding': 'gzip, deflate, br, zstd', accept: 'text/html' })
}

/** Prints figures of each contestant. They take turns; the first one is the baseline. */
async function compare(
  server: ServerProcess,
  contestants: readonly Contestant[],
  headers: Record<string, string> = {},
): Promise<void> {
  const all = contestants.map((): Figures[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { url }] of contestants.entries()) {
      const figures = await load(url, headers)
      // The first round only warms up the JIT compiler.
      if (round > 0) all[index]?.push(figures)
    }
  }
  const medians = all.map(
    figures => figures.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)] as Figures,
  )
  const [baseline] = medians
  out(`\n  ${'signed out'.padEnd(28)} requests/s   p50 ms   p95 ms    ratio   goal   generator`)
  for (const [index, { title, least }] of contestants.entries()) {
    const { perSecond, p50, p95, ownShare } = medians[index] as Figures
    const ratio = (perSecond / (baseline?.perSecond ?? 1)).toFixed(2)
    out(
      `  ${title.padEnd(28)} ${perSecond.toFixed(0).padStart(10)} ${p50.toFixed(1).padStart(8)} ` +
        `${p95.toFixed(1).padStart(8)} ${ratio.padStart(8)} ${(least ? `≥ ${least}` : '').padStart(6)}   ${(100 * ownShare).toFixed(0).padStart(3)}% of a core`,
    )
  }
  out(`  memory of the server: ${await server.residentMb()} MB`)
}

async function load(url: string, headers: Record<string, string>): Promise<Figures> {
  const { ms, ownShare } = await loadLightly(url, { connections: 4, seconds, headers })
  ms.sort((a, b) => a - b)
  const at = (part: number): number => ms[Math.floor(part * ms.length)] ?? 0
  return { perSecond: ms.length / seconds, p50: at(0.5), p95: at(0.95), ownShare }
}

const samples = 9

/** Prints how long pages take that nobody has asked for before. The first of each kind loads its code. */
async function firstRenders(
  { url }: ServerProcess,
  git: (...args: string[]) => Promise<string>,
): Promise<void> {
  const ids = (await git('rev-list', `--max-count=${4 * samples}`, 'main')).split('\n')
  const kinds: [title: string, path: (index: number) => string][] = [
    ['file', index => `/src/branch/main/${directoryOf(20 + index)}/file-1.ts`],
    ['directory, commits unknown', index => `/src/branch/main/${directoryOf(40 + index)}`],
    ['commit', index => `/commit/${ids[index]}`],
    ['comparison', index => `/compare/${ids[2 * samples + index]}...${ids[0]}`],
    ['commits', index => `/commits/branch/main/${directoryOf(60 + index)}`],
  ]
  out(`\n  ${'first render'.padEnd(28)} first byte ms   whole ms`)
  for (const [title, path] of kinds) {
    const times: Timing[] = []
    for (let index = 0; index <= samples; index++) times.push(await timed(`${url}${home}${path(index)}`))
    const median = (of: keyof Timing): string =>
      (
        times
          .slice(1)
          .map(time => time[of])
          .sort((a, b) => a - b)[Math.floor(samples / 2)] ?? 0
      ).toFixed(1)
    out(`  ${title.padEnd(28)} ${median('firstByteMs').padStart(13)} ${median('wholeMs').padStart(10)}`)
  }
}

interface Timing {
  firstByteMs: number
  wholeMs: number
}

const timed = (url: string): Promise<Timing> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    let firstByteMs = 0
    request(url, response => {
      response.on('data', () => {
        firstByteMs ||= performance.now() - begun
      })
      response.on('end', () => resolve({ firstByteMs, wholeMs: performance.now() - begun }))
    })
      .on('error', reject)
      .end()
  })
