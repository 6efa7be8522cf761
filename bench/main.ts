import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@/db/testing/postgres-server'
import { createServerDatabase } from '@/db/testing/server-template'
import { benchAlongsideBareGit } from './alongside-bare-git'
import { benchArtifacts } from './artifacts'
import { benchBackup } from './backup'
import { benchStarts } from './child-starts'
import { benchCode } from './code'
import { benchContents } from './contents'
import { type Contestant, startContestant } from './contestants'
import { benchCreations } from './creations'
import { benchFiles } from './files'
import { benchFind } from './find'
import { benchGit } from './git'
import { benchEmbeddedHooks, benchHooks } from './hooks'
import { benchLists } from './lists'
import { benchLiveStreams } from './live-streams'
import { addKeys, type Figures, median, readKeys, type Target } from './load'
import { benchPages } from './pages'
import { benchPlanning } from './planning'
import { benchProcesses } from './processes'
import { benchPushes } from './pushes'
import { benchRunners } from './runners'
import type { ServerData } from './server-process'
import { benchSmallGit } from './small-git'
import { benchWorkflows } from './workflows'

const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const out = (line = '') => process.stdout.write(`${line}\n`)

const home = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
const postgres = await startPostgres({ track_commit_timestamp: 'on' })
try {
  const only = process.argv[2]
  if (!only || only === 'hooks') await compareHooks()
  if (!only || only === 'storage') {
    out('\nRelease files, on disk:')
    await benchFiles({ databaseUrl: postgres?.url, dataDir: join(home, 'files') })
  }
  if (!only || only === 'artifacts') {
    out('\nArtifacts, on disk:')
    await benchArtifacts({ databaseUrl: postgres?.url, dataDir: join(home, 'artifacts') })
  }
  if (postgres && (!only || only === 'runners')) {
    out('\nRunners, on PostgreSQL:')
    await benchRunners({ databaseUrl: postgres.url, dataDir: join(home, 'runners') })
  }
  if (postgres && (!only || only === 'processes')) {
    out('\nTwo server processes instead of one, on PostgreSQL:')
    const { url } = await createServerDatabase(postgres.url)
    await benchProcesses({ databaseUrl: url, dataDir: join(home, 'processes') })
  }
  if (!only || only === 'starts') {
    out('\nStarting commands:')
    await benchStarts()
  }
  if (!only || only === 'git') {
    out('\nGit alongside bare Git:')
    const url = postgres && (await createServerDatabase(postgres.url)).url
    await benchAlongsideBareGit(
      { databaseUrl: url, dataDir: join(home, 'alongside') },
      join(home, 'alongside work'),
    )
  }
  if (!only || (only === 'git' && process.argv[3] !== 'small')) {
    const kind = postgres ? 'PostgreSQL' : 'the embedded database'
    out(`\nSmall Git operations, on ${kind}:`)
    await benchSmallGit(
      async name => ({
        databaseUrl: postgres && (await createServerDatabase(postgres.url)).url,
        dataDir: join(home, `small git ${name}`),
      }),
      join(home, 'small work'),
    )
    out('\nGit, on the embedded database:')
    await benchGit({ databaseUrl: undefined, dataDir: join(home, 'git') }, join(home, 'work'))
  }
  if (postgres && (!only || only === 'creations')) {
    out('\nCreating a repository:')
    await benchCreations(
      { databaseUrl: (await createServerDatabase(postgres.url)).url, dataDir: join(home, 'creations') },
      { databaseUrl: undefined, dataDir: join(home, 'creations inside') },
    )
  }
  if (!only || only === 'workflows') {
    if (postgres) {
      out('\nBlocking of the main thread by planning workflows, on PostgreSQL:')
      const { url } = await createServerDatabase(postgres.url)
      await benchWorkflows({ databaseUrl: url, dataDir: join(home, 'workflows') })
    }
    out('\nBlocking of the main thread by planning workflows, on the embedded database:')
    await benchWorkflows({ databaseUrl: undefined, dataDir: join(home, 'workflows inside') })
  }
  if (!only || only === 'planning') {
    out('\nPlanning a workflow:')
    await benchPlanning()
  }
  if (!only || only === 'pages') {
    out(`\nPages, on ${postgres ? 'PostgreSQL' : 'the embedded database'}:`)
    await benchPages(
      async name => ({
        databaseUrl: postgres && (await createServerDatabase(postgres.url)).url,
        dataDir: join(home, `pages ${name}`),
      }),
      join(home, 'pages work'),
    )
  }
  if (!only || only === 'code') {
    out(`\nReading code, on ${postgres ? 'PostgreSQL' : 'the embedded database'}:`)
    const url = postgres && (await createServerDatabase(postgres.url)).url
    await benchCode({ databaseUrl: url, dataDir: join(home, 'code') })
  }
  if (!only || only === 'contents') {
    out(`\nChanging files, on ${postgres ? 'PostgreSQL' : 'the embedded database'}:`)
    const url = postgres && (await createServerDatabase(postgres.url)).url
    await benchContents({ databaseUrl: url, dataDir: join(home, 'contents') }, join(home, 'contents work'))
  }
  if (!only || only === 'pushes') {
    out('\nPushes to a repository with 20 workflows:')
    const url = postgres && (await createServerDatabase(postgres.url)).url
    await benchPushes({ databaseUrl: url, dataDir: join(home, 'pushes') }, join(home, 'pushes work'))
  }
  if (!only || only === 'backup') {
    if (postgres) {
      out('\nCalls and pushes during a backup, on PostgreSQL:')
      const { url } = await createServerDatabase(postgres.url)
      await benchBackup({ databaseUrl: url, dataDir: join(home, 'backup') }, join(home, 'backup work'))
    }
    out('\nCalls and pushes during a backup, on the embedded database:')
    const inside = { databaseUrl: undefined, dataDir: join(home, 'backup inside') }
    await benchBackup(inside, join(home, 'backup inside work'))
  }
  if (!only || only === 'find') {
    if (postgres) {
      out('\nSearch, on PostgreSQL:')
      await benchFind(async size => ({
        databaseUrl: (await createServerDatabase(postgres.url)).url,
        dataDir: join(home, `find ${size} on the server`),
      }))
    }
    out('\nSearch, on the embedded database:')
    await benchFind(async size => ({ databaseUrl: undefined, dataDir: join(home, `find ${size}`) }))
  }
  if (!only || only === 'keys') await compareAll()
  explain()
} finally {
  await postgres?.stop()
  await rm(home, { recursive: true, force: true })
}

async function compareHooks(): Promise<void> {
  if (postgres) {
    out('\nWebhooks, on PostgreSQL:')
    await benchHooks({ databaseUrl: postgres.url, dataDir: join(home, 'hooks') })
  }
  out('\nWebhooks, on the embedded database:')
  await benchEmbeddedHooks({ databaseUrl: undefined, dataDir: join(home, 'embedded hooks') })
}

async function compareAll(): Promise<void> {
  // Each server has a database of its own, because a database belongs to one site.
  if (postgres)
    await compare('PostgreSQL', async dataDir => ({
      databaseUrl: (await createServerDatabase(postgres.url)).url,
      dataDir,
    }))
  await compare('the embedded database', async dataDir => ({ databaseUrl: undefined, dataDir }))
}

async function compare(database: string, data: (dataDir: string) => Promise<ServerData>): Promise<void> {
  out(`\nOn ${database}:`)
  const location = (name: string) => data(join(home, `${name} ${database}`))
  const ours = await startContestant('Guildhall', 'dist/main.js', 4610, await location('ours'))
  const bare = await startContestant(
    'bare node:http + pg',
    'dist/bench-bare.js',
    4611,
    await location('bare'),
  )
  await contest('GET /user/keys, 30 keys', readKeys, ours, bare)
  await contest('POST /user/keys', addKeys, ours, bare)
  for (const one of [ours, bare]) out(`  idle memory of ${one.name}: ${one.idleMb} MB`)
  await ours.stop()
  await bare.stop()
  if (process.argv[3] === 'rates') return
  await benchLists(await location('lists'))
  await benchLiveStreams(await location('live'))
}

async function contest(
  title: string,
  load: (target: Target, seconds: number) => Promise<Figures>,
  ours: Contestant,
  bare: Contestant,
): Promise<void> {
  // Guildhall runs more code than the bare server, so V8 takes longer to compile it.
  for (const one of [ours, bare]) await load(one, 8)
  const figures = { ours: [] as Figures[], bare: [] as Figures[] }
  // Guildhall and the bare server take turns, so that background load affects both equally.
  for (let round = 0; round < rounds; round++) {
    figures.bare.push(await load(bare, seconds))
    figures.ours.push(await load(ours, seconds))
  }
  const [our, their] = [median(figures.ours), median(figures.bare)]
  const failed = [...figures.ours, ...figures.bare].some(one => one.failed > 0)
  out(`  ${title}`)
  for (const [name, one] of [[ours.name, our] as const, [bare.name, their] as const]) {
    out(
      `    ${name.padEnd(20)} ${one.requestsPerSecond.toFixed(0).padStart(6)} requests/s   ` +
        `p50 ${one.p50Ms} ms   p99 ${one.p99Ms} ms   failed ${one.failed}`,
    )
  }
  const ratio = `${((100 * our.requestsPerSecond) / their.requestsPerSecond).toFixed(0)}%`
  out(failed ? '    no ratio, because some requests failed' : `    ratio ${ratio}`)
}

function explain(): void {
  out(`
How to read this: the servers of each pair took turns on this host (${rounds} rounds of ${seconds} s,
16 connections), and the load generator ran on the same host. Therefore, compare only
ratios with other hosts, not rates. The bare server runs the same two queries without
validation, scopes, limits, logging or error mapping, so it shows the maximum of Node and
the database; the goal is 75% for reading keys and 60% for adding one. The baseline of webhooks reads existing
deliveries, signs them, sends them again over as many connections and records the statuses.
The baseline of files hashes and writes them without flushing them to disk. Guildhall flushes
them before it responds; the goal is a ratio of at least 85% as a raw body and 60% as a form.
As in tests, PostgreSQL runs without fsync.`)
}
