import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { allocatorEnvironment } from '@/server/kernel/processes/member'
import { signIn } from '@/testing/browser'
import { fillSite } from './page-site'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const run = promisify(execFile)
const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const out = (line = '') => process.stdout.write(`${line}\n`)

const person = { name: 'ada', password: 'a long enough password' }
const repository = `/${person.name}/engine`

/** The page of somebody who is signed in is rendered for each request, unless they open the same one again. */
type Viewer = 'signed out' | 'signed in' | 'opened again'

const signedIn: Viewer[] = ['signed in', 'opened again']
const both: Viewer[] = ['signed out', ...signedIn]
const pages: [title: string, path: string, viewers: Viewer[]][] = [
  ['sign-in', '/-/sign-in', ['signed out']],
  ['explore', '/explore', both],
  ['repository home', repository, both],
  ['keys (30)', '/user/settings/keys', signedIn],
  ['branches', `${repository}/branches`, both],
  ['releases', `${repository}/releases`, both],
  ['runs', `${repository}/actions`, both],
]

/** A build of the product with the same content. */
interface Side {
  name: string
  server: ServerProcess
  cookie: string
}

interface Figures {
  cpuMs: number
  perSecond: number
}

interface Page {
  title: string
  path: string
  viewer: Viewer
}

/**
 * Prints the processor time, the rate, and the size of pages, and the memory of the server, and compares them with
 * those of the build in the worktree that `BENCH_BEFORE` names. The two servers take turns.
 */
export async function benchPages(
  dataOf: (name: string) => Promise<ServerData>,
  workDir: string,
): Promise<void> {
  const before = process.env.BENCH_BEFORE
  const sides = [await openSide('now', process.cwd(), 4621, await dataOf('now'), workDir)]
  if (before) sides.push(await openSide('before', resolve(before), 4622, await dataOf('before'), workDir))
  try {
    out(`  ${'page'.padEnd(30)} ${'build'.padEnd(7)} CPU ms   pages/s   KB of HTML   of flight   sent`)
    for (const [title, path, viewers] of pages) {
      for (const viewer of viewers) await compare(sides, { title, path, viewer })
    }
    await printMemory(sides, 'at the end of the load')
    await delay(60_000)
    await printMemory(sides, 'a minute later')
  } finally {
    for (const { server } of sides) await server.stop()
  }
}

async function printMemory(sides: readonly Side[], when: string): Promise<void> {
  for (const { name, server } of sides) out(`  memory ${when}, ${name}: ${await server.residentMb()} MB`)
}

async function compare(sides: readonly Side[], page: Page): Promise<void> {
  const all = sides.map((): Figures[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const figures = await load(side, page)
      // The first round only warms up the JIT compiler.
      if (round > 0) all[index]?.push(figures)
    }
  }
  const medians = all.map(figures => ({
    cpuMs: median(figures.map(one => one.cpuMs)),
    perSecond: median(figures.map(one => one.perSecond)),
  }))
  for (const [index, side] of sides.entries()) {
    const { cpuMs, perSecond } = medians[index] as Figures
    const { html, flight, sent } = await weigh(side, page)
    out(
      `  ${`${page.title}, ${page.viewer}`.padEnd(30)} ${side.name.padEnd(7)} ${cpuMs.toFixed(1).padStart(6)} ` +
        `${perSecond.toFixed(0).padStart(9)} ${kb(html).padStart(12)} ${kb(flight).padStart(11)} ${kb(sent).padStart(6)}`,
    )
  }
  const [now, before] = medians
  if (now && before) {
    const [cpu, rate] = [now.cpuMs / before.cpuMs, now.perSecond / before.perSecond]
    out(`  ${''.padEnd(30)} ratio   ${cpu.toFixed(2).padStart(6)} ${rate.toFixed(2).padStart(9)}`)
  }
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(1)
const median = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number

const headersOf = ({ cookie }: Side, { viewer }: Page): Record<string, string> => ({
  'accept-encoding': 'gzip, deflate, br, zstd',
  accept: 'text/html',
  ...(viewer === 'signed out' ? {} : { cookie }),
})

let visits = 0

async function load(side: Side, page: Page): Promise<Figures> {
  const before = await side.server.cpuSeconds()
  const result = await autocannon({
    url: side.server.url + page.path,
    // No more than one client may have Git processes at the same time.
    connections: 4,
    duration: seconds,
    headers: headersOf(side, page),
    // A page is sent again only for requests with the same headers.
    ...(page.viewer === 'signed in' && {
      requests: [
        { setupRequest: one => ({ ...one, headers: { ...one.headers, 'user-agent': `${visits++}` } }) },
      ],
    }),
  })
  const used = (await side.server.cpuSeconds()) - before
  const failed = result.non2xx + result.errors
  // A side that refuses some requests because it is busy has an incomplete page, not a wrong one.
  if (failed > result.requests.total / 10) throw new Error(`${page.path} failed on ${side.name}`)
  return { cpuMs: (1000 * used) / result.requests.total, perSecond: result.requests.average }
}

async function weigh(side: Side, page: Page): Promise<{ html: number; flight: number; sent: number }> {
  const headers = headersOf(side, page)
  const url = side.server.url + page.path
  const html = await (await fetch(url, { headers })).text()
  const flight = [...html.matchAll(/<script[^>]*>self\.__next_f\.push\(.*?<\/script>/gs)].join('')
  const { stdout } = await run('curl', [
    '-so/dev/null',
    '-w%{size_download}',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ])
  return { html: Buffer.byteLength(html), flight: Buffer.byteLength(flight), sent: Number(stdout) }
}

async function openSide(
  name: string,
  cwd: string,
  port: number,
  data: ServerData,
  workDir: string,
): Promise<Side> {
  const settings = {
    GUILDHALL_ADMIN_USER: person.name,
    GUILDHALL_ADMIN_PASSWORD: person.password,
    GUILDHALL_ADMIN_EMAIL: 'ada@example.test',
    // As the supervisor, the image, and the systemd unit set it.
    ...allocatorEnvironment,
  }
  const server = await startServer('dist/main.js', port, data, settings, cwd)
  await fillSite(server.url, person, join(workDir, name))
  const { cookie } = await signIn(server, person)
  return { name, server, cookie }
}
