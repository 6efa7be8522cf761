import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadPlace, type PlaceFor } from '@/server/places'
import type { PlaceName } from '@/server/places/schema'
import { findVariable, type VariableRef, type VariableRow } from './store'

/** A secret or variable that the caller may manage, with the place it belongs to. */
export type VariableFor = Allowed<{ place: PlaceFor; variable: VariableRow }, 'management'>

/**
 * Loads a secret or variable of a place that the caller may manage.
 * @throws {DomainError} as `loadPlace`, and notFound if the place has none of this name.
 */
export async function loadVariable(ctx: UserCtx, named: PlaceName, ref: VariableRef): Promise<VariableFor> {
  const place = await loadPlace(ctx, named)
  const variable = await findVariable(ctx.db, place, ref)
  if (!variable) throw deleted(ref.kind)
  return allow({ place, variable })
}
