import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type OpenDatabase, type OpenOptions, openDatabase } from '@/db/client'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { freePort } from '@/testing/ports'

export const admin = { name: 'root-user', password: 'a long enough password', email: 'root@example.test' }

/** Key of the object that identifies the site to which an object storage belongs. */
export const markKey = '0'.repeat(32)

/** Environment variables that create the first administrator. */
export const adminEnvironment = {
  GUILDHALL_ADMIN_USER: admin.name,
  GUILDHALL_ADMIN_PASSWORD: admin.password,
  GUILDHALL_ADMIN_EMAIL: admin.email,
}

export interface Guildhall {
  url: string
  pid: number
  /** Everything the process has printed. */
  output(): string
  /** Waits until the process has printed the text. Throws an error if the process ends first. */
  printed(text: string): Promise<void>
  /** Sends the signal and waits for the process to end. Returns the exit code, or null if a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Waits until the process has ended. Returns the exit code. */
  ended: Promise<number | null>
}

/**
 * Starts the built product and waits until it is ready. Throws an error with its output if it ends first. If
 * `at` is a URL, listens on the port of this URL. The product is that of the working directory or of `cwd`.
 */
export async function start(
  environment: Record<string, string>,
  at?: string,
  cwd = process.cwd(),
): Promise<Guildhall> {
  const port = at ? Number(new URL(at).port) : await freePort()
  const child = launch({ ...environment, PORT: String(port) }, cwd)
  const url = `http://127.0.0.1:${port}`
  while (child.process.exitCode === null) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return { url, pid: child.process.pid ?? 0, ...child }
    await delay(25)
  }
  throw new Error(child.output())
}

/** Starts the built product in an environment in which it fails. Returns its exit code and output. */
export async function startAndFail(
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = launch({ PORT: String(await freePort()), ...environment })
  const [code] = await once(child.process, 'close')
  return { code, output: child.output() }
}

/** Creates a temporary data directory with a migrated database, so that the process starts faster. */
export async function dataDirectory(): Promise<Awaited<ReturnType<typeof temporaryDirectory>>> {
  const directory = await temporaryDirectory()
  await copyEmbeddedDirectory(join(directory.path, 'postgres'))
  return directory
}

/** Creates a temporary directory, which is deleted when disposed. */
export async function temporaryDirectory(): Promise<{
  path: string
  [Symbol.asyncDispose](): Promise<void>
}> {
  const path = await mkdtemp(join(tmpdir(), 'guildhall-e2e-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

// With a number of page changes, a test runs for minutes.
const isShort = process.env.VITEST !== undefined && process.env.GUILDHALL_TEST_PAGE_CHANGES === undefined

/**
 * Node.js options that skip V8's optimization of the embedded database. It takes a quarter of the CPU time of
 * a start, which does not pay off in a process that lives for seconds.
 */
const v8Options = ['--liftoff-only', ...(isShort ? ['--no-opt'] : [])]

// The tests can run on another version of Node.js than the product.
const node = process.env.GUILDHALL_TEST_NODE ?? process.execPath

function launch(
  environment: Record<string, string>,
  cwd = process.cwd(),
): Pick<Guildhall, 'output' | 'printed' | 'end' | 'ended'> & { process: ChildProcess } {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(GUILDHALL_|DATABASE_URL|HOST|PORT)/.test(name),
  )
  const child = spawn(node, [...v8Options, 'dist/main.js'], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      NODE_ENV: 'production',
      GUILDHALL_LOG_LEVEL: 'warn',
      GUILDHALL_SSH_PORT: 'off',
      // Tests kill and stop the process that they start.
      GUILDHALL_PROCESSES: '1',
      GUILDHALL_TEST_LOAD_PAGES: 'later',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const closed = once(child, 'close')
  return {
    process: child,
    output: () => output,
    async printed(text) {
      if (output.includes(text)) return
      const tooLate = closed.then(() => Promise.reject(new Error(output)))
      while (!output.includes(text)) await Promise.race([once(child.stdout, 'data'), tooLate])
    },
    async end(signal) {
      child.kill(signal)
      const [code] = await closed
      return code
    },
    ended: closed.then(([code]) => code as number | null),
  }
}

/** Opens the database of a process that has ended, and closes it after `use`. */
export async function withDatabase<T>(
  location: Pick<OpenOptions, 'dataDir' | 'databaseUrl'>,
  use: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(location)
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
