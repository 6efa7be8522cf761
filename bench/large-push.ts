import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { tokenFor } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const mib = 1024 * 1024
const megabytes = Number(process.env.BENCH_PUSH_MB ?? 500)
const allowedMb = 64
const out = (line = '') => process.stdout.write(`${line}\n`)
const run = promisify(execFile)

/** Pushes 500 MB of noise and clones it back, and prints how far the server's memory rose. */
export async function benchLargePush(data: ServerData, workDir: string): Promise<void> {
  const { db, close } = await openDatabase(data)
  const pusher = await makeUser(db)
  const token = await tokenFor(db, pusher.id)
  await close()
  const server = await startServer('dist/main.js', 4613, data)
  try {
    await makeRemote(server.url, token)
    const address = server.url.replace('//', `//${pusher.name}:${token}@`)
    const remote = `${address}/${pusher.name}/large.git`
    const local = await makeLocal(join(workDir, 'local'))
    await watched(server, `git push of ${megabytes} MB`, () => git(local, 'push', '-q', remote, 'main'))
    await watched(server, `git clone of ${megabytes} MB`, () =>
      git(workDir, 'clone', '-q', remote, join(workDir, 'back')),
    )
    await git(workDir, 'diff', '--no-index', '--quiet', 'local/noise', 'back/noise')
  } finally {
    await server.stop()
  }
}

async function watched(server: ServerProcess, title: string, work: () => Promise<void>): Promise<void> {
  const before = await server.residentMb()
  let highest = before
  const watch = setInterval(async () => {
    highest = Math.max(highest, await server.residentMb())
  }, 50)
  const started = performance.now()
  await work()
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  const rise = highest - before
  out(
    `  ${title}: ${seconds.toFixed(1)} s, memory of the server rose by ${rise} MB from ${before} MB` +
      (rise > allowedMb ? `  ABOVE ${allowedMb} MB` : ''),
  )
}

async function makeRemote(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'large' }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function makeLocal(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  await pipeline(noise(), createWriteStream(join(directory, 'noise')))
  await git(directory, 'init', '-q', '-b', 'main')
  await git(directory, 'add', 'noise')
  await git(directory, 'commit', '-q', '-m', 'Noise')
  return directory
}

function noise(): Readable {
  const chunk = Buffer.alloc(mib)
  let left = megabytes
  return new Readable({
    read() {
      this.push(left-- > 0 ? Buffer.from(randomFillSync(chunk)) : null)
    },
  })
}

// Noise does not compress: trying would only measure zlib.
async function git(directory: string, ...args: string[]): Promise<void> {
  const settings = ['core.compression=0', 'user.name=bench', 'user.email=bench@example.test']
  await run('git', [...settings.flatMap(setting => ['-c', setting]), ...args], { cwd: directory })
}
