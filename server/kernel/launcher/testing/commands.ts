import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Child } from '../child'
import type { Launcher } from '../launcher'
import type { Command } from '../messages'

export const env = { PATH: process.env.PATH ?? '' }
export const program = join(process.cwd(), 'dist/launcher.js')

export type CommandOptions = Partial<Pick<Command, 'args' | 'socket'>>

/** Has a launcher start a command. */
export function runBy(launcher: Launcher, script: string, options: CommandOptions = {}): Child {
  const command: Command = { script, args: [], env, ...options }
  const child = new Child(command)
  launcher.start(child, command)
  child.stdin.on('error', () => undefined)
  return child
}

export const endOf = (child: Child): Promise<unknown[]> => once(child, 'close')

export const isAlive = async (pid: number): Promise<boolean> =>
  // One that has ended and that nobody has asked about has no environment anymore.
  (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')) !== ''
