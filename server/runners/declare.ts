import { sql } from 'kysely'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { type Declaration, readDeclaration } from './declared'
import { announceRunner } from './record'
import { type RunnerRow, updateRunner } from './store'

/**
 * Stores the version, labels and capabilities that a runner declares when it starts. Labels that were edited
 * on the server are kept.
 * @throws {DomainError} invalid for unusable labels, unauthenticated if the runner is deleted concurrently.
 */
export async function declareRunner(ctx: RunnerCtx, declaration: Declaration): Promise<RunnerRow> {
  const { version, labels, capabilities } = readDeclaration(declaration)
  const declared = JSON.stringify(labels)
  const runner = await updateRunner(ctx.db, ctx.caller.runnerId, {
    version,
    capabilities: JSON.stringify(capabilities),
    declared_labels: declared,
    labels: sql<string>`case when labels_edited then labels else ${declared}::jsonb end`,
  })
  if (!runner) throw unauthenticated('unregistered runner')
  announceRunner(ctx.db, runner)
  return runner
}
