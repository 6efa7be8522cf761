import { DirectoryInUseError } from '@/db/client'

/** Runs a command and prints what it answers; a failure becomes one line on stderr and exit code 1. */
export async function runCommand(name: string, run: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await run()}\n`)
  } catch (error) {
    process.stderr.write(`${name}: ${explain(error)}\n`)
    process.exitCode = 1
  }
}

function explain(error: unknown): string {
  if (error instanceof DirectoryInUseError) {
    return `stop the server first (process ${error.ownerPid} holds ${error.directory})`
  }
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\s*\n\s*/g, ' ')
}
