import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { describeFailure } from '@/server/kernel/describe-failure'
import { defineJob } from '@/server/kernel/jobs'
import { launch } from '@/server/kernel/launcher/launch'
import { backupJobName } from './schema'
import { type LastBackups, lastBackupId, recordFailure, selectLastBackups } from './store'

const retryMs = 15 * 60_000

// Also at the start, because the stop of a process interrupts its backup.
export const backupJob = defineJob({
  name: backupJobName,
  atStart: true,
  canTakeHours: true,
  run: (ctx, signal) => runScheduled(ctx, signal),
})

/**
 * Runs a backup if one is due. It runs in a process of its own, so that the copying holds up no request.
 * @throws {Error} with the message of the backup if it fails, which is recorded even if the backup could not begin
 */
export async function runScheduled(
  { db, config, clock }: Pick<ServiceCtx, 'db' | 'config' | 'clock'>,
  signal: AbortSignal,
  run = runCommand,
): Promise<void> {
  const { to, everyMs } = config.backup
  if (to === undefined || !isDue(await selectLastBackups(db), everyMs, clock.now())) return
  const lastId = await lastBackupId(db)
  try {
    await run(signal)
  } catch (error) {
    if (!signal.aborted) await recordFailure(db, lastId, describeFailure(error))
    throw error
  }
}

/**
 * Whether the next backup is due: an interval after the last one started that was made, or fifteen minutes after
 * one that failed ended. One that lacks data of the site was made: the next one would lack it, too.
 */
export function isDue({ ended, done, running }: LastBackups, everyMs: number, now: Date): boolean {
  const agoMs = (time: Date | null): number => now.getTime() - (time?.getTime() ?? 0)
  const made = ended?.size_bytes == null ? done : ended
  if (running || (made && agoMs(made.started_at) < everyMs)) return false
  return ended?.outcome !== 'failed' || agoMs(ended.ended_at) >= retryMs
}

// It yields to the server, and is the first to be ended if memory runs out.
const gently = `
  { echo 900 >/proc/self/oom_score_adj; } 2>/dev/null
  cd "$1" && shift || exit
  if command -v nice >/dev/null; then exec nice -n 19 "$@"; fi
  exec "$@"`

async function runCommand(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const root = process.cwd()
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const command = join(root, 'dist/command.js')
  const child = launch({ script: gently, args: [root, process.execPath, command, 'backup'], env })
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  child.stdin.end()
  child.stdout.resume()
  const errors = text(child.stderr)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (code !== 0) throw new Error(failureIn(await errors))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Returns the message in the output of a failed backup, which warnings can precede. */
export function failureIn(output: string): string {
  const [, message = output] = /^backup: ([\s\S]*)/m.exec(output) ?? []
  return message.trim() || 'the process was killed'
}
