import { execFile, fork } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type ServerData, type ServerProcess, startServer } from '../server-process'
import { type BenchJob, makeOwner, startJobs } from './jobs'
import { uploadRaw } from './raw-client'

const rounds = 3
const mib = 1024 * 1024
const mebibytes = Number(process.env.BENCH_FILE_MIB ?? 1024)
const [allowedMb, concurrency] = [64, 20]
const out = (line = '') => process.stdout.write(`${line}\n`)

const ways = [
  { title: 'one file (client 6.2.1)', version: '6.2.1', options: { skipArchive: true } },
  { title: 'zip, stored (client 5.0.3)', version: '5.0.3', options: { compressionLevel: 0 } },
] as const
type Way = (typeof ways)[number]

/**
 * Measures artifacts with GitHub's unmodified clients. Prints the upload and download rates of an
 * incompressible file (1 GiB by default), next to those of a bare server that only hashes and one that also
 * writes to disk. Then prints the time to finalize an artifact, the memory growth for one four times as
 * large, and the rate of 20 concurrent uploads.
 */
export async function benchArtifacts(data: ServerData): Promise<void> {
  if (!(await hasClients())) {
    out('  skipped, because GitHub’s artifact clients cannot be installed')
    return
  }
  await mkdir(data.dataDir, { recursive: true })
  const location = await mkdtemp(join(data.dataDir, 'client-'))
  const file = join(location, 'bench.bin')
  await writeRandom(file)
  const owner = await makeOwner(data)
  const settings = { GUILDHALL_ARTIFACT_MAX_BYTES: '-1' }
  const ours = await startServer('dist/main.js', 4618, data, settings)
  const bare = await startServer('dist/bench-artifact-sink.js', 4619, data, { BENCH_FILE: file })
  const store = await mkdtemp(join(data.dataDir, 'sink-'))
  const writing = await startServer('dist/bench-artifact-sink.js', 4620, data, {
    BENCH_FILE: file,
    BENCH_STORE: store,
  })
  try {
    const jobs = await startJobs(ours.url, owner, concurrency)
    const [job] = jobs
    if (!job) throw new Error('no job was started')
    for (const way of ways)
      await contest(way, { ours: ours.url, bare: bare.url, writing: writing.url, store, job, file, location })
    await finalizing(ours.url, job)
    await memory(ours, job)
    await together(ours.url, jobs)
  } finally {
    await ours.stop()
    await bare.stop()
    await writing.stop()
    await rm(data.dataDir, { recursive: true, force: true })
  }
}

// Imports it by a path relative to the working directory, because the clients are installed next to this
// script, not in the bundle.
async function hasClients(): Promise<boolean> {
  const { installArtifactClients } = await import(resolve('testing/artifact-clients/install.mjs'))
  return (await installArtifactClients()) !== undefined
}

async function writeRandom(path: string): Promise<void> {
  const file = await open(path, 'w')
  const buffer = Buffer.alloc(mib)
  for (let written = 0; written < mebibytes; written++) await file.write(randomFillSync(buffer))
  await file.close()
}

interface Ring {
  ours: string
  bare: string
  writing: string
  store: string
  job: BenchJob
  file: string
  location: string
}

async function contest(
  { title, version, options }: Way,
  { ours, bare, writing, store, job, file, location }: Ring,
): Promise<void> {
  const noRates = (): Rates => ({ ours: [], bare: [], writing: [] })
  const rates = { up: noRates(), down: noRates() }
  const isRaw = 'skipArchive' in options
  const runners = [
    ['bare', bare],
    ['writing', writing],
    ['ours', ours],
  ] as const
  // The servers take turns, so that background load affects all of them equally.
  for (let round = 0; round < rounds; round++) {
    // A client that does not create an archive names the artifact after the file.
    const artifact = isRaw ? 'bench.bin' : `bench-${round}`
    const ids = { bare: 1, writing: 1, ours: 0 }
    for (const [name, url] of runners) {
      await using client = await startClient(version, url, job, location)
      await settleDisk()
      const sent = await client.call('uploadArtifact', artifact, [file], location, options)
      rates.up[name].push((1000 * mebibytes) / sent.ms)
      ids[name] = sent.value.id
      if (name === 'writing') for (const block of await readdir(store)) await rm(join(store, block))
    }
    for (const [name, url] of runners) {
      // The bare server cannot serve a zip archive.
      if (name === 'writing' || (!isRaw && name === 'bare')) continue
      await using client = await startClient(version, url, job, location)
      const path = await mkdtemp(join(location, 'down-'))
      await settleDisk()
      const got = await client.call('downloadArtifact', ids[name], { path })
      rates.down[name].push((1000 * mebibytes) / got.ms)
      await expectWhole(path, name)
      await rm(path, { recursive: true })
      if (name === 'ours') await client.call('deleteArtifact', artifact)
    }
  }
  show(`${title}, upload`, rates.up)
  show(`${title}, download`, rates.down)
}

// Flushes written data to disk, so that the writes of one server do not slow down the next measurement.
async function settleDisk(): Promise<void> {
  await promisify(execFile)('sync')
}

async function expectWhole(path: string, name: string): Promise<void> {
  const size = await Promise.any(
    ['bench.bin', 'bench'].map(async file => (await stat(join(path, file))).size),
  )
  if (size !== mebibytes * mib)
    throw new Error(`the file downloaded from the server "${name}" has the wrong size`)
}

interface Client extends AsyncDisposable {
  call(method: string, ...args: unknown[]): Promise<{ value: { id: number }; ms: number }>
}

/** Starts an unmodified artifact client in a process of its own, as a workflow job does. */
async function startClient(
  version: string,
  url: string,
  { token }: BenchJob,
  location: string,
): Promise<Client> {
  const child = fork('testing/artifact-clients/child.mjs', [`artifact-${version}`], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      ACTIONS_RESULTS_URL: `${url}/`,
      ACTIONS_RUNTIME_TOKEN: token,
      GITHUB_WORKSPACE: location,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return {
    async call(method, ...args) {
      child.send({ id: 0, method, args })
      const [{ value, error, ms }] = await once(child, 'message')
      if (error) throw new Error(error)
      return { value, ms }
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

type Rates = Record<'ours' | 'bare' | 'writing', number[]>

function show(title: string, rates: Rates): void {
  const our = median(rates.ours)
  const alongside = (name: string, their: number) =>
    their
      ? `   ${name} ${their.toFixed(0).padStart(5)} MiB/s, ratio ${((100 * our) / their).toFixed(0).padStart(3)}%`
      : ''
  out(
    `  ${title.padEnd(38)} ${our.toFixed(0).padStart(5)} MiB/s` +
      alongside('bare server that hashes', median(rates.bare)) +
      alongside('and writes to disk', median(rates.writing)),
  )
}

async function finalizing(url: string, job: BenchJob): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push((await uploadRaw(url, job, { name: `finalize-${round}`, blocks: mebibytes / 8 })).finalizeMs)
  }
  out(`  finalizing ${mebibytes} MiB: ${median(times).toFixed(0)} ms`)
}

async function memory(server: ServerProcess, job: BenchJob): Promise<void> {
  const before = await server.residentMb()
  let highest = before
  const timer = setInterval(async () => {
    highest = Math.max(highest, await server.residentMb())
  }, 50)
  await uploadRaw(server.url, job, { name: 'large', blocks: mebibytes / 2 })
  clearInterval(timer)
  const rise = highest - before
  out(
    `  uploading ${4 * mebibytes} MiB: server memory grew by ${rise} MB, from ${before} MB` +
      (rise > allowedMb ? `  ABOVE ${allowedMb} MB` : ''),
  )
}

async function together(url: string, jobs: readonly BenchJob[]): Promise<void> {
  const started = performance.now()
  const all = await Promise.all(
    jobs.map(job => uploadRaw(url, job, { name: `together-${job.jobId}`, blocks: 8 })),
  )
  const seconds = (performance.now() - started) / 1000
  const slowest = Math.max(...all.map(one => one.seconds))
  out(
    `  ${jobs.length} concurrent uploads of 64 MiB: ${((jobs.length * 64) / seconds).toFixed(0)} MiB/s, ` +
      `the slowest took ${slowest.toFixed(1)} s`,
  )
}

const median = (rates: number[]): number => rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0
