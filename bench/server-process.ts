import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Where a server under test keeps what it holds. */
export interface ServerData {
  databaseUrl: string | undefined
  dataDir: string
}

export interface ServerProcess {
  url: string
  /** MiB of memory it holds now. */
  residentMb(): Promise<number>
  /** Seconds of processor time that it has used. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Starts one of the programs in dist on its own port and waits until it answers. */
export async function startServer(
  script: string,
  port: number,
  data: ServerData,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      GUILDHALL_SSH_PORT: 'off',
      DATABASE_URL: data.databaseUrl ?? '',
      GUILDHALL_DATA_DIR: data.dataDir,
      GUILDHALL_BASE_URL: `http://127.0.0.1:${port}`,
      GUILDHALL_LOG_LEVEL: 'info',
      ...settings,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 60_000
  // Any answer will do: the bare server knows no health checks.
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${script} does not answer`)
    await delay(100)
  }
  return {
    url,
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
      // In hundredths, on every Linux.
      return (Number(user) + Number(system)) / 100
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
