import { DirectoryInUseError } from '@/db/client'
import { reasonOf } from '@/server/backups'
import { backup } from './backup'
import { moveToServer } from './db-move'
import type { Environment } from './environment'
import { restore } from './restore'
import { adoptSite } from './site-adopt'
import { Faults } from './summary'
import { verify } from './verify-backup'

const commands = {
  backup: { title: 'backup', run: backup },
  restore: { title: 'restore', run: restore },
  'verify-backup': { title: 'verify-backup', run: verify },
  'db-move': { title: 'db:move', run: moveToServer },
  'site-adopt': { title: 'site:adopt', run: adoptSite },
}

export type CommandName = keyof typeof commands

/**
 * Runs a command and returns its exit code and what it prints. A failure yields its message in `errors` and
 * code 1. When the signal is aborted, a backup stops, and the next one continues.
 */
export async function runCommand(
  name: string,
  args: string[],
  env: Environment,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ code: number; output: string; errors: string }> {
  if (!isCommand(name)) {
    const known = Object.keys(commands).join(', ')
    return { code: 2, output: '', errors: `unknown command "${name}": use one of ${known}\n` }
  }
  const { title, run } = commands[name]
  try {
    return { code: 0, output: `${await run(args, env, signal)}\n`, errors: '' }
  } catch (error) {
    return { code: 1, output: '', errors: `${title}: ${explain(error)}\n` }
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

function explain(error: unknown): string {
  if (error instanceof DirectoryInUseError) {
    return `stop the server first (process ${error.ownerPid} is using ${error.directory})`
  }
  const message = reasonOf(error)
  return error instanceof Faults ? message : message.replace(/\s*\n\s*/g, ' ')
}
