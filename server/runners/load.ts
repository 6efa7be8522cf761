import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadPlace, type PlaceFor } from '@/server/places'
import type { PlaceName } from '@/server/places/schema'
import { findRunner, type RunnerRow } from './store'

/** A runner that the caller may manage, with the place that they manage it from. */
export type RunnerFor = Allowed<{ place: PlaceFor; runner: RunnerRow }, 'management'>

/**
 * Loads a runner of a place if the caller may manage that. The site has every runner.
 * @throws {DomainError} as `loadPlace`, and notFound if the runner belongs to another place.
 */
export async function loadRunner(ctx: UserCtx, name: PlaceName, id: number): Promise<RunnerFor> {
  const place = await loadPlace(ctx, name)
  const runner = await findRunner(ctx.db, place, id)
  if (!runner) throw deleted('runner')
  return allow({ place, runner })
}
