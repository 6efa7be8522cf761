import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { tokenFor } from '../seed'
import { type ServerData, type ServerProcess, startServer } from '../server-process'
import { digestOf, download, upload } from './transfer'

const rounds = 3
const mebibytes = Number(process.env.BENCH_FILE_MIB ?? 1024)
const largeMebibytes = 4 * mebibytes
const allowedMb = 64
const run = promisify(execFile)
const out = (line = '') => process.stdout.write(`${line}\n`)

type Way = 'raw' | 'form' | 'download'

/**
 * Measures release files. Prints the rates of uploading a file (1 GiB by default) as a raw body and as a
 * form, and of downloading it, next to those of a bare server that hashes and writes the file, and of `cp`.
 * Then prints the memory growth for a file four times as large.
 */
export async function benchFiles(data: ServerData): Promise<void> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  await close()
  const ours = await startServer('dist/main.js', 4615, data, { GUILDHALL_RELEASE_MAX_BYTES: '-1' })
  const bare = await startServer('dist/bench-file-sink.js', 4616, data)
  try {
    const release = await makeRelease(ours.url, token, owner.name)
    await contest(release, bare.url, token)
    await copy(data.dataDir)
    for (const way of ['raw', 'form'] as const) await watch(ours, release, token, way)
  } finally {
    await ours.stop()
    await bare.stop()
    await rm(data.dataDir, { recursive: true, force: true })
  }
}

async function contest(release: string, sink: string, token: string): Promise<void> {
  const digest = digestOf(mebibytes)
  const bare = { sink: [] as number[], synced: [] as number[], download: [] as number[] }
  const ours: Record<Way, number[]> = { raw: [], form: [], download: [] }
  // The servers take turns, so that background load affects both equally.
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['synced', 'sink'] as const) {
      const url = kind === 'sink' ? sink : `${sink}/synced`
      bare[kind].push(
        mebibytes / (await afterSync(() => upload({ url, token, mebibytes, asForm: false }))).seconds,
      )
    }
    bare.download.push(mebibytes / (await download(sink)).seconds)
    for (const way of ['raw', 'form'] as const) {
      const url = `${release}/assets?name=${way}-${round}`
      const { answer, seconds } = await afterSync(() =>
        upload({ url, token, mebibytes, asForm: way === 'form' }),
      )
      const asset = JSON.parse(answer)
      if (asset.digest !== digest) throw new Error(`the file uploaded as ${way} has the wrong digest`)
      ours[way].push(mebibytes / seconds)
      if (way === 'raw') {
        const got = await download(asset.browser_download_url)
        if (got.mebibytes !== mebibytes) throw new Error('the downloaded file has the wrong size')
        ours.download.push(mebibytes / got.seconds)
      }
      await remove(`${release}/assets/${asset.id}`, token)
    }
  }
  show('upload, raw', ours.raw, bare.sink)
  show('upload, as a form', ours.form, bare.sink)
  show('download', ours.download, bare.download)
  out(`  bare node:http that flushes the file to disk ${median(bare.synced).toFixed(0)} MiB/s`)
}

// Flushes earlier writes first, so that they do not slow down this measurement.
async function afterSync<T>(work: () => Promise<T>): Promise<T> {
  await run('sync')
  return await work()
}

function show(title: string, ours: number[], bare: number[]): void {
  const [our, their] = [median(ours), median(bare)]
  out(
    `  ${title.padEnd(18)} ${our.toFixed(0).padStart(5)} MiB/s   bare node:http ${their.toFixed(0).padStart(5)} MiB/s   ` +
      `ratio ${((100 * our) / their).toFixed(0)}%`,
  )
}

async function copy(directory: string): Promise<void> {
  const [from, to] = [join(directory, 'sink'), join(directory, 'copy')]
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await run('cp', ['--reflink=never', from, to])
    rates.push((1000 * mebibytes) / (performance.now() - started))
    await rm(to)
  }
  out(`  cp of the file     ${median(rates).toFixed(0).padStart(5)} MiB/s`)
}

async function watch(
  server: ServerProcess,
  release: string,
  token: string,
  way: 'raw' | 'form',
): Promise<void> {
  const before = await server.residentMb()
  let highest = before
  const timer = setInterval(async () => {
    highest = Math.max(highest, await server.residentMb())
  }, 50)
  const url = `${release}/assets?name=large-${way}`
  const { answer } = await upload({ url, token, mebibytes: largeMebibytes, asForm: way === 'form' })
  clearInterval(timer)
  await remove(`${release}/assets/${JSON.parse(answer).id}`, token)
  const rise = highest - before
  out(
    `  uploading ${largeMebibytes} MiB, ${way}: server memory grew by ${rise} MB, from ${before} MB` +
      (rise > allowedMb ? `  ABOVE ${allowedMb} MB` : ''),
  )
}

async function makeRelease(url: string, token: string, owner: string): Promise<string> {
  const repository = `${url}/api/v1/repos/${owner}/files`
  await post(`${url}/api/v1/user/repos`, token, { name: 'files', auto_init: true })
  const release = await post(`${repository}/releases`, token, { tag_name: 'v1' })
  return `${repository}/releases/${release.id}`
}

async function post(url: string, token: string, body: object): Promise<{ id: number }> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { id: number }
}

async function remove(url: string, token: string): Promise<void> {
  const response = await fetch(url, { method: 'DELETE', headers: { authorization: `token ${token}` } })
  if (!response.ok) throw new Error(await response.text())
}

const median = (rates: number[]): number => rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0
