import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadScope, type SettingsScopeFor } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findRunner, type RunnerRow } from './store'

/** A runner that the caller may manage, with the scope that they manage it from. */
export type RunnerFor = Allowed<{ scope: SettingsScopeFor; runner: RunnerRow }, 'management'>

/**
 * Loads a runner of a scope if the caller may manage that. The site has every runner.
 * @throws {DomainError} as `loadScope`, and notFound if the runner belongs to another scope.
 */
export async function loadRunner(ctx: UserCtx, name: ScopeName, id: number): Promise<RunnerFor> {
  const scope = await loadScope(ctx, name)
  const runner = await findRunner(ctx.db, scope, id)
  if (!runner) throw deleted('runner')
  return allow({ scope, runner })
}
