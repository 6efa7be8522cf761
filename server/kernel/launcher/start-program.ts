import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, join } from 'node:path'
import type { Child, Outcome } from './child'

const readyMs = 10_000

// The path of a Unix socket can have about 100 bytes; longer paths are silently truncated.
const maxBaseBytes = 64

/** A running launcher process. */
export interface Program {
  node: ChildProcess
  /**
   * Private directory of the launcher's socket: any process that can connect to the socket can start commands.
   */
  directory: string
  since: number
  isLost: boolean
  /** Commands that the launcher was told to start, each with the function that receives its result. */
  commands: Map<number, { child: Child; settle: (outcome: Outcome | 'lost') => void }>
}

/** Name of the launcher's socket in its directory. */
export const socketName = 'socket'

/**
 * Starts the launcher process from a module and waits until it accepts connections on its Unix socket.
 * @throws {Error} if it does not listen in time
 */
export async function startProgram(file: string): Promise<Program> {
  const base = Buffer.byteLength(tmpdir()) <= maxBaseBytes ? absolute(tmpdir()) : '/tmp'
  const directory = mkdtempSync(join(base, 'guildhall-launcher-'))
  const node = fork(file, [join(directory, socketName)], {
    cwd: '/',
    env: environment(),
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A process group of its own keeps Ctrl+C from stopping it.
    detached: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      node.once('message', () => resolve())
      node.on('error', reject)
      node.once('exit', code => reject(new Error(`the launcher exited with code ${code}`)))
      timer = setTimeout(() => reject(new Error('the launcher did not start in time')), readyMs)
    })
    node.unref()
    node.channel?.unref()
    return { node, directory, since: performance.now(), isLost: false, commands: new Map() }
  } catch (error) {
    node.kill('SIGKILL')
    removeDirectory(directory)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Removes the directory of a launcher's socket. The launcher does so itself unless it is killed. */
export function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // It contains only the socket of a process that has exited.
  }
}

/** Returns what Node itself may need to start. The launcher gets none of our settings. */
function environment(): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH: libraries } = process.env
  return (libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) as NodeJS.ProcessEnv
}
