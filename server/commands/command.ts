import { DirectoryInUseError } from '@/db/client'
import { backup } from './backup'
import { moveToServer } from './db-move'
import type { Environment } from './environment'
import { restore } from './restore'
import { adoptSite } from './site-adopt'

const commands = {
  backup: { title: 'backup', run: backup },
  restore: { title: 'restore', run: restore },
  'db-move': { title: 'db:move', run: moveToServer },
  'site-adopt': { title: 'site:adopt', run: adoptSite },
}

export type CommandName = keyof typeof commands

/**
 * Runs a command and returns its exit code and what it prints. A failure yields one line in `errors` and code
 * 1.
 */
export async function runCommand(
  name: string,
  args: string[],
  env: Environment,
): Promise<{ code: number; output: string; errors: string }> {
  if (!isCommand(name)) {
    const known = Object.keys(commands).join(', ')
    return { code: 2, output: '', errors: `unknown command "${name}": use one of ${known}\n` }
  }
  const { title, run } = commands[name]
  try {
    return { code: 0, output: `${await run(args, env)}\n`, errors: '' }
  } catch (error) {
    return { code: 1, output: '', errors: `${title}: ${explain(error)}\n` }
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

function explain(error: unknown): string {
  if (error instanceof DirectoryInUseError) {
    return `stop the server first (process ${error.ownerPid} is using ${error.directory})`
  }
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\s*\n\s*/g, ' ')
}
