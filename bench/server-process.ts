import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * The database and the data directory of a server under test. Without a URL, the server uses the embedded
 * database.
 */
export interface ServerData {
  databaseUrl: string | undefined
  dataDir: string
}

export interface ServerProcess {
  url: string
  pid: number
  /** Returns the memory that the process currently uses in MiB. */
  residentMb(): Promise<number>
  /** Returns the CPU time that the process has used in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts a program in `dist` on a port of its own and waits until it responds. It is that of the working
 * directory or of `cwd`.
 */
export async function startServer(
  script: string,
  port: number,
  data: ServerData,
  settings: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      GUILDHALL_SSH_PORT: 'off',
      GUILDHALL_PROCESSES: '1',
      DATABASE_URL: data.databaseUrl ?? '',
      GUILDHALL_DATA_DIR: data.dataDir,
      GUILDHALL_BASE_URL: `http://127.0.0.1:${port}`,
      GUILDHALL_LOG_LEVEL: 'info',
      ...settings,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 60_000
  // Any response is enough, because the bare server has no health checks.
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${script} does not respond`)
    await delay(100)
  }
  return {
    url,
    pid: child.pid ?? 0,
    residentMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    },
    cpuSeconds: async () => {
      const status = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '')
      const [user, system] = status
        .slice(status.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
      // The kernel reports hundredths of a second.
      return (Number(user) + Number(system)) / 100
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
