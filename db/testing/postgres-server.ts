import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '@/testing/ports'
import { findPostgresBinaries } from '@/testing/programs.mjs'

const run = promisify(execFile)

export interface RunningPostgres {
  url: string
  stop(): Promise<void>
}

/** PostgreSQL server that a test can crash, suspend and restart. Its URL and data stay the same. */
export interface OwnPostgres extends RunningPostgres {
  /** Stops the server immediately without notifying clients, like a crash or `pg_ctl stop -m immediate`. */
  crash(): Promise<void>
  /** Starts the server again after a crash and waits until it has recovered. */
  startAgain(): Promise<void>
  /** Suspends the server and all its sessions: connections stay open, but nothing responds until `goOn`. */
  halt(): Promise<void>
  goOn(): Promise<void>
}

/**
 * Starts a temporary PostgreSQL server for tests, with these settings, or returns the one at
 * GUILDHALL_TEST_POSTGRES_URL. Returns undefined if PostgreSQL is not installed. `stop` stops only a server
 * that this call started.
 */
export async function startPostgres(
  settings: Record<string, string> = {},
): Promise<RunningPostgres | undefined> {
  const existing = process.env.GUILDHALL_TEST_POSTGRES_URL
  if (existing) return { url: existing, stop: async () => {} }
  return await startOwnPostgres({ ...quick, ...settings })
}

// Faster, but a crash can lose committed data.
const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts a temporary PostgreSQL server with these settings. Returns undefined if PostgreSQL is not installed.
 */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
): Promise<OwnPostgres | undefined> {
  const binaries = await findPostgresBinaries()
  if (!binaries) return undefined

  const user = await serverUser()
  const home = await mkdtemp(join(tmpdir(), 'guildhall-pg-'))
  try {
    if (user.uid !== undefined) await chown(home, user.uid, user.gid!)
    const password = randomBytes(12).toString('hex')
    await initialise(binaries, home, password, user)
    return await launch({ binaries, home, password, user, settings })
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
}

interface ServerUser {
  uid?: number
  gid?: number
}

// PostgreSQL refuses to run as root.
async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

async function initialise(binaries: string, home: string, password: string, user: ServerUser): Promise<void> {
  const passwordFile = join(home, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined) await chown(passwordFile, user.uid, user.gid!)
  await run(
    join(binaries, 'initdb'),
    [
      ['-D', join(home, 'data')],
      ['-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ['--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'],
    ].flat(),
    { ...user, cwd: home },
  )
}

interface Installation {
  binaries: string
  home: string
  password: string
  user: ServerUser
  settings: Record<string, string>
}

// Another process may take the port before the server does; then the next attempt uses another one.
async function launch(installation: Installation, attempts = 3): Promise<OwnPostgres> {
  const { home, password } = installation
  const port = await freePort()
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  let server = await spawnServer(installation, port)
  if (await becomesReady(url, server)) {
    const abandon = () => server.kill('SIGQUIT')
    process.once('exit', abandon)
    return {
      url,
      async stop() {
        process.off('exit', abandon)
        await stopServer(server)
        await rm(home, { recursive: true, force: true })
      },
      async crash() {
        await stopServer(server, 'SIGQUIT')
      },
      halt: () => signalAll(server, 'SIGSTOP'),
      goOn: () => signalAll(server, 'SIGCONT'),
      async startAgain() {
        server = await spawnServer(installation, port)
        if (!(await becomesReady(url, server))) throw new Error(await complaintOf(installation))
      },
    }
  }
  await stopServer(server)
  if (attempts > 1) return launch(installation, attempts - 1)
  throw new Error(await complaintOf(installation))
}

async function spawnServer(
  { binaries, home, user, settings }: Installation,
  port: number,
): Promise<ChildProcess> {
  const log = await open(join(home, 'log'), 'w')
  const server = spawn(join(binaries, 'postgres'), argumentsFor(home, port, settings), {
    ...user,
    cwd: home,
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  return server
}

const complaintOf = async ({ home }: Installation): Promise<string> =>
  `the PostgreSQL test server did not start: ${await readFile(join(home, 'log'), 'utf8')}`

function argumentsFor(home: string, port: number, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: home,
    max_connections: 200,
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', join(home, 'data'), ...flags]
}

async function becomesReady(url: string, server: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + 30_000
  let failed = false
  server.once('error', () => {
    failed = true
  })
  while (!failed && server.exitCode === null && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      await delay(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}

async function stopServer(server: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  const force = setTimeout(() => server.kill('SIGQUIT'), 10_000)
  await exited
  clearTimeout(force)
}

// Each session is a child process of the server.
async function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) process.kill(each!, signal)
}
