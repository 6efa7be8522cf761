import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { adminEnvironment } from './guildhall'

/** ID of the user that the image runs as. */
export const imageUser = 10001

export interface Location {
  /** Folder with the image's files. */
  root: string
  /** Folder that is the image's volume. */
  data: string
  http: number
  ssh: number
}

/** What the image starts. */
export const server = ['/usr/bin/tini', '--', 'guildhall']

/** Returns the command that serves the same pages like `next start`, whose program is not in the image. */
export function nextStart(port: number): string[] {
  const options = JSON.stringify({ dir: '/app', port, hostname: '127.0.0.1', isDev: false })
  return ['node', '-e', `require('next/dist/server/lib/start-server').startServer(${options})`]
}

/** Starts the image and waits for its first page. Stopping it checks that it exits cleanly and reported no problem. */
export async function startServer(at: Location): Promise<{ stop(): Promise<void> }> {
  const child = launch(at, server)
  expect(await firstPage(at, child)).toContain('Explore')
  return {
    async stop() {
      child.process.kill('SIGTERM')
      expect(await child.ended).toBe(0)
      // A busy machine is no problem of the image.
      const lines = child
        .output()
        .split('\n')
        .filter(line => !line.includes('"msg":"slow '))
      // With errors of pages, which Next.js prints itself.
      expect(lines.join('\n')).not.toMatch(/"level":"(warn|error|fatal)"|EROFS|⨯/)
    },
  }
}

/** Returns the milliseconds from the start of a command until its first page has arrived. */
export async function timeToFirstPage(at: Location, command: string[]): Promise<number> {
  const began = performance.now()
  const child = launch(at, command)
  await firstPage(at, child)
  const took = performance.now() - began
  child.process.kill('SIGTERM')
  await child.ended
  return Math.round(took)
}

async function firstPage({ http }: Location, child: ReturnType<typeof launch>): Promise<string> {
  const deadline = performance.now() + 120_000
  while (child.process.exitCode === null && performance.now() < deadline) {
    const page = await fetch(`http://127.0.0.1:${http}/explore`).catch(() => undefined)
    if (page?.ok) return await page.text()
    await delay(25)
  }
  child.process.kill('SIGTERM')
  throw new Error(child.output())
}

/** Runs a command of the image and returns its exit code and output. */
export async function runInside(
  at: Location,
  command: string[],
): Promise<{ code: number | null; output: string }> {
  const child = launch(at, command)
  return { code: await child.ended, output: child.output() }
}

// As the image's user, with a read-only root, the volume, and a `/tmp` with the options that Docker sets.
function launch(
  { root, data, http, ssh }: Location,
  command: string[],
): { process: ChildProcess; output(): string; ended: Promise<number | null> } {
  const script = `set -e
    mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"
    mount --bind "$2" "$1/data"; mount -t tmpfs -o noexec,nosuid,nodev tmpfs "$1/tmp"
    mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"
    root=$1; shift 2
    exec chroot --userspec=${imageUser}:${imageUser} "$root" sh -c 'cd /app; exec "$@"' sh "$@"`
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', root, data, ...command], {
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_ENV: 'production' as const,
      HOST: '127.0.0.1',
      PORT: String(http),
      GUILDHALL_SSH_PORT: String(ssh),
      GUILDHALL_DATA_DIR: '/data',
      GUILDHALL_BASE_URL: `http://127.0.0.1:${http}`,
      ...adminEnvironment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  return { process: child, output: () => output, ended: once(child, 'close').then(([code]) => code) }
}
