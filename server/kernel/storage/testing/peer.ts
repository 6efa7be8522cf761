import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server for tests on loopback, with its own directory. */
export interface Peer {
  port: number
  stop(): Promise<void>
}

/** Starts a program with its port and directory as arguments, and waits until it listens. */
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
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} does not start`)
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
