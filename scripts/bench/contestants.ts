import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from './load'
import { seed } from './seed'

export interface Contestant extends Target {
  name: string
  idleMb: number
  stop(): Promise<void>
}

export interface Ground {
  databaseUrl: string | undefined
  dataDir: string
}

/** Fills a database, starts the program on it, and waits until it answers and its memory has settled. */
export async function startContestant(
  name: string,
  script: string,
  port: number,
  ground: Ground,
): Promise<Contestant> {
  const tokens = await seed(ground)
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: ground.databaseUrl ?? '',
      GUILDHALL_DATA_DIR: ground.dataDir,
      GUILDHALL_LOG_LEVEL: 'info',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/api/v1/user/keys`, tokens.reader, child)
  await delay(3000)
  return {
    name,
    url,
    tokens,
    idleMb: await residentMb(child),
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function answering(url: string, token: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url, { headers: { authorization: `token ${token}` } }).catch(() => undefined)
    if (response?.ok) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
