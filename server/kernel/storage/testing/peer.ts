import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isListening } from '@/testing/ports'

/** A test server on the loopback interface, with its own directory. */
export interface Peer {
  port: number
  stop(): Promise<void>
}

/** Starts a server program with its port and directory as arguments, and waits until it listens. */
export async function startPeer(
  program: string,
  args: (port: number, directory: string) => string[],
  env: Record<string, string> = {},
): Promise<Peer> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-peer-'))
  const port = await freePort()
  const child = spawn(program, args(port, directory), {
    cwd: directory,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} did not start`)
    await sleep(50)
  }
  return {
    port,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}
