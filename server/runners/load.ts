import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadScope, type SettingsScopeFor } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findRunner, type RunnerRow } from './store'

/** Runner that the caller may manage, with the scope from which they manage it. */
export type RunnerFor = Allowed<{ scope: SettingsScopeFor; runner: RunnerRow }, 'management'>

/**
 * Loads a runner of a scope if the caller may manage the scope. The site includes every runner.
 * @throws {DomainError} as `loadScope`, and notFound if the runner belongs to another scope.
 */
export async function loadRunner(ctx: UserCtx, name: ScopeName, id: number): Promise<RunnerFor> {
  const scope = await loadScope(ctx, name)
  const runner = await findRunner(ctx.db, scope, id)
  if (!runner) throw deleted('runner')
  return allow({ scope, runner })
}
