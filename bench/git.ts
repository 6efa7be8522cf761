import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
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

async function makeKeys(directory: string): Promise<{ file: string; publicKey: string } | undefined> {
  const file = join(directory, 'key')
  const isMade = await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]).then(
    () => true,
    () => false,
  )
  return isMade ? { file, publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() } : undefined
}

const sshOptions = (keyFile: string, port: number): string =>
  `-F /dev/null -p ${port} -i ${keyFile} -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR ` +
  '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'

/**
 * Starts an OpenSSH server that runs as the current user; undefined if sshd is not installed or does not
 * start.
 */
async function startSshd(
  directory: string,
  port: number,
  { file, publicKey }: { file: string; publicKey: string },
): Promise<ChildProcess | undefined> {
  const program = '/usr/sbin/sshd'
  if (!existsSync(program)) return undefined
  await mkdir('/run/sshd', { recursive: true }).catch(() => undefined)
  await writeFile(join(directory, 'authorized_keys'), publicKey)
  const settings = [
    `ListenAddress=127.0.0.1:${port}`,
    `HostKey=${file}`,
    'PidFile=none',
    'StrictModes=no',
    'PermitRootLogin=yes',
    'UsePAM=no',
    `AuthorizedKeysFile=${join(directory, 'authorized_keys')}`,
  ]
  const args = ['-D', '-e', '-f', '/dev/null', ...settings.flatMap(setting => ['-o', setting])]
  const child = spawn(program, args, { stdio: 'ignore' })
  await delay(500)
  return child.exitCode === null ? child : undefined
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

async function post(
  { url, token }: { url: string; token: string },
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function makeLocal(directory: string, size: number): Promise<string> {
  await mkdir(directory, { recursive: true })
  await pipeline(noise(size), createWriteStream(join(directory, 'noise')))
  await git(directory, 'init', '-q', '-b', 'main')
  await git(directory, 'add', 'noise')
  await git(directory, 'commit', '-q', '-m', 'Noise')
  return directory
}

function noise(size: number): Readable {
  const chunk = Buffer.alloc(mib)
  let left = size
  return new Readable({
    read() {
      this.push(left-- > 0 ? Buffer.from(randomFillSync(chunk)) : null)
    },
  })
}

const gitOver = (way: Way, directory: string, ...args: string[]): Promise<void> =>
  git(directory, ...configOf(way.settings), ...args)

const configOf = (settings: readonly string[]): string[] => settings.flatMap(setting => ['-c', setting])

// Disables compression, because random data does not compress, and trying it would only measure zlib.
async function git(directory: string, ...args: string[]): Promise<void> {
  const settings = ['core.compression=0', 'user.name=bench', 'user.email=bench@example.test']
  await run('git', [...configOf(settings), ...args], { cwd: directory })
}
