import { timingSafeEqual } from 'node:crypto'
import type { Db } from '@/db/client'
import { hashSecret } from '@/server/auth/credentials/secret-token'
import type { RunnerCtx, ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { announceRunner } from './record'
import { isOnline } from './state'
import { findCaller, type RunnerRow, updateRunner } from './store'

/** Kind of call from a runner: a report about a task that it has, or any other call. */
export type RunnerCall = 'report' | 'other'

const nobody = { secret_hash: Buffer.alloc(32), retired_at: null }
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Authenticates a runner by the UUID and secret from its registration, and records the time of the call. An
 * ephemeral runner whose job has ended can only repeat its reports.
 * @throws {DomainError} unauthenticated if the runner is unknown, was deleted, or is ephemeral and has
 * finished its only job.
 */
export async function authenticateRunner(
  ctx: ServiceCtx,
  { uuid, secret }: { uuid: string; secret: string },
  call: RunnerCall,
): Promise<RunnerCtx> {
  const found = uuidPattern.test(uuid) ? await findCaller(ctx.db, uuid) : undefined
  const { secret_hash, retired_at } = found ?? nobody
  const isKnown = timingSafeEqual(secret_hash, hashSecret(secret))
  if (!found || !isKnown || (retired_at && call !== 'report')) throw unauthenticated('unregistered runner')
  await touch(ctx.db, found, call, ctx.clock.now())
  const { id: runnerId, owner_id: ownerId, repository_id: repositoryId } = found
  return { ...ctx, caller: { kind: 'runner', runnerId, ownerId, repositoryId } }
}

// Times are written only if they are older than this, because runners call every few seconds.
const onlineWriteMs = 30_000
const activeWriteMs = 5_000

async function touch(db: Db, runner: RunnerRow, call: RunnerCall, now: Date): Promise<void> {
  const isStale = (date: Date | null, ms: number) => !date || now.getTime() - date.getTime() >= ms
  const active = call === 'report' && isStale(runner.last_active_at, activeWriteMs)
  if (!active && !isStale(runner.last_online_at, onlineWriteMs)) return
  await updateRunner(db, runner.id, { last_online_at: now, ...(active && { last_active_at: now }) })
  if (!isOnline(runner, now)) announceRunner(db, runner)
}
