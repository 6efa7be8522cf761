import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, join } from 'node:path'
import type { Child, Outcome } from './child'

const readyMs = 10_000

// A Unix socket path may have about 100 bytes, and longer paths are silently truncated.
const maxBaseBytes = 64

/** A launcher that runs. */
export interface Program {
  node: ChildProcess
  /** Private: whoever may connect to the socket in it may have commands started. */
  directory: string
  since: number
  isLost: boolean
  /** The commands that it was asked to start, each with what is called with what becomes of it. */
  commands: Map<number, { child: Child; settle: (outcome: Outcome | 'lost') => void }>
}

/** The name of the launcher's socket in its directory. */
export const socketName = 'socket'

/**
 * Starts the launcher's program, a module, and waits until it listens.
 * @throws {Error} when it does not.
 */
export async function startProgram(file: string): Promise<Program> {
  const base = Buffer.byteLength(tmpdir()) <= maxBaseBytes ? absolute(tmpdir()) : '/tmp'
  const directory = mkdtempSync(join(base, 'guildhall-launcher-'))
  const node = fork(file, [join(directory, socketName)], {
    cwd: '/',
    env: environment(),
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Not in reach of Ctrl+C.
    detached: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      node.once('message', () => resolve())
      node.on('error', reject)
      node.once('exit', code => reject(new Error(`the launcher ended with ${code}`)))
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

/** The launcher does so itself, unless it is killed. */
export function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // It holds nothing but the socket of a process that has ended.
  }
}

/** What Node itself may need to start: no setting of ours is the launcher's to know. */
function environment(): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH: libraries } = process.env
  return (libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) as NodeJS.ProcessEnv
}
