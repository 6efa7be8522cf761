import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { configOf, git, makeKeys, makeLocal, post, sshOptions, startSshd } from './git-tools'
import { tokenFor } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const megabytes = Number(process.env.BENCH_PUSH_MB ?? 500)
const allowedMb = 64
const out = (line = '') => process.stdout.write(`${line}\n`)

/** A way to access Git repositories, such as HTTP or SSH. */
interface Way {
  name: string
  /** Returns the Git URL of a repository with this name. */
  remote(name: string): string
  settings: string[]
  server: Pick<ServerProcess, 'residentMb'> | undefined
}

/**
 * Measures Git over Guildhall's HTTP, over Guildhall's SSH and, if it is installed, over OpenSSH's sshd
 * without Guildhall. Prints how long it takes to list refs, and to push and clone random data (500 MB by
 * default), and how much the server's memory grows.
 */
export async function benchGit(data: ServerData, workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true })
  const { db, close } = await openDatabase(data)
  const pusher = await makeUser(db)
  const token = await tokenFor(db, pusher.id)
  await close()
  const [sshPort, sshdPort] = [4623, 4624]
  const server = await startServer('dist/main.js', 4613, data, { GUILDHALL_SSH_PORT: String(sshPort) })
  const keys = await makeKeys(workDir)
  const sshd = keys && (await startSshd(workDir, sshdPort, keys))
  try {
    const api = { url: server.url, token }
    for (const name of ['small', 'http', 'ssh']) await post(api, 'user/repos', { name })
    const http = server.url.replace('//', `//${pusher.name}:${token}@`)
    const ways: Way[] = [
      { name: 'HTTP', remote: name => `${http}/${pusher.name}/${name}.git`, settings: [], server },
    ]
    if (keys) {
      await post(api, 'user/keys', { title: 'bench', key: keys.publicKey })
      const settings = (port: number) => [`core.sshCommand=ssh ${sshOptions(keys.file, port)}`]
      ways.push({
        name: 'SSH',
        remote: name => `ssh://git@127.0.0.1:${sshPort}/${pusher.name}/${name}.git`,
        settings: settings(sshPort),
        server,
      })
      if (sshd) {
        for (const name of ['small', 'sshd'])
          await git(workDir, 'init', '-q', '--bare', '-b', 'main', `plain/${name}.git`)
        ways.push({
          name: 'sshd',
          remote: name => `ssh://127.0.0.1:${sshdPort}${join(workDir, 'plain', name)}.git`,
          settings: settings(sshdPort),
          server: undefined,
        })
      }
    }
    await listRefs(ways, await makeLocal(join(workDir, 'small'), 1))
    const local = await makeLocal(join(workDir, 'local'), megabytes)
    for (const way of ways) await transfer(way, workDir, local)
  } finally {
    sshd?.kill()
    await server.stop()
  }
}

const rounds = 15

/** Prints the median time to the first byte of a list of refs for each way of access. The ways take turns. */
async function listRefs(ways: readonly Way[], local: string): Promise<void> {
  const times = new Map<Way, number[]>(ways.map(way => [way, []]))
  for (const way of ways) await gitOver(way, local, 'push', '-q', way.remote('small'), 'main')
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) times.get(way)?.push(await firstByteMs(way, local))
  }
  const medians = [...times].map(([way, all]): [string, number] => [
    way.name,
    all.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0,
  ])
  out(`  git ls-remote, first byte: ${medians.map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`).join(', ')}`)
}

async function firstByteMs(way: Way, local: string): Promise<number> {
  const args = [...configOf(way.settings), 'ls-remote', way.remote('small')]
  const started = performance.now()
  const child = spawn('git', args, { cwd: local, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const ms = performance.now() - started
  child.stdout.resume()
  await once(child, 'close')
  return ms
}

async function transfer(way: Way, workDir: string, local: string): Promise<void> {
  const remote = way.remote(way.name.toLowerCase())
  const back = join(workDir, `back-${way.name}`)
  const title = (what: string): string => `git ${what} of ${megabytes} MB over ${way.name}`
  await watched(way.server, title('push'), () => gitOver(way, local, 'push', '-q', remote, 'main'))
  await watched(way.server, title('clone'), () => gitOver(way, workDir, 'clone', '-q', remote, back))
  await git(workDir, 'diff', '--no-index', '--quiet', 'local/noise', `${back}/noise`)
}

async function watched(server: Way['server'], title: string, work: () => Promise<void>): Promise<void> {
  const residentMb = async (): Promise<number> => (await server?.residentMb()) ?? 0
  const before = await residentMb()
  let highest = before
  const watch = setInterval(async () => {
    highest = Math.max(highest, await residentMb())
  }, 50)
  const started = performance.now()
  await work()
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  const rise = highest - before
  const memory = `, server memory grew by ${rise} MB, from ${before} MB`
  const verdict = rise > allowedMb ? `  ABOVE ${allowedMb} MB` : ''
  out(`  ${title}: ${seconds.toFixed(1)} s${server ? memory + verdict : ''}`)
}

const gitOver = (way: Way, directory: string, ...args: string[]): Promise<void> =>
  git(directory, ...configOf(way.settings), ...args)
