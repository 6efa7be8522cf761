import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Child } from '../child'
import type { Launcher } from '../launcher'
import type { Command } from '../messages'

export const env = { PATH: process.env.PATH ?? '' }
export const program = join(process.cwd(), 'dist/launcher.js')

export type CommandOptions = Partial<Pick<Command, 'args' | 'socket'>>

/** Starts a command with a launcher. */
export function runBy(launcher: Launcher, script: string, options: CommandOptions = {}): Child {
  const command: Command = { script, args: [], env, ...options }
  const child = new Child(command)
  launcher.start(child, command)
  child.stdin.on('error', () => undefined)
  return child
}

export const endOf = (child: Child): Promise<unknown[]> => once(child, 'close')

export const isAlive = async (pid: number): Promise<boolean> =>
  // A zombie process has no environment.
  (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')) !== ''
