import { z } from 'zod'
import { PlacePath } from '@/server/places/schema'
import { signedInWith } from '@/server/trpc/procedures'
import { changeHook } from '../edit'
import { loadHook, loadHookPlace } from '../load'
import { removeHook } from '../remove'
import { PlacedHookPath } from '../schema'
import { browseHooks, showHook } from './browse'
import { addManagedHook, saveHook } from './save'
import {
  AddressWarning,
  BrowsedHook,
  BrowsedHookPage,
  BrowseHooksInput,
  CheckAddressInput,
  ManagedHook,
  NewHookInput,
  SavedHook,
  SaveHookInput,
  SetHookInput,
} from './schema'
import { findAddressWarning, viewManagedHook, viewWithWarning } from './view'

const inPlace = signedInWith(PlacePath, (ctx, { place }) => loadHookPlace(ctx, place))
const ofHook = signedInWith(PlacedHookPath, (ctx, { place, id }) => loadHook(ctx, place, id))

/** Procedures for pages about hooks, the same for every place. */
export const managingProcedures = {
  browse: inPlace
    .input(BrowseHooksInput)
    .output(BrowsedHookPage)
    .query(({ ctx, input }) => browseHooks(ctx, ctx.found, input)),

  get: ofHook.output(BrowsedHook).query(({ ctx }) => showHook(ctx, ctx.found)),

  checkAddress: inPlace
    .input(CheckAddressInput)
    .output(AddressWarning.nullable())
    .query(({ ctx, input }) => findAddressWarning(ctx, input.url)),

  add: inPlace
    .input(NewHookInput)
    .output(SavedHook)
    .mutation(async ({ ctx, input }) => viewWithWarning(ctx, await addManagedHook(ctx, ctx.found, input))),

  save: ofHook
    .input(SaveHookInput)
    .output(SavedHook)
    .mutation(async ({ ctx, input }) => {
      const row = await saveHook(ctx, ctx.found, input)
      if (input.changes.url !== undefined) return await viewWithWarning(ctx, row)
      return { hook: viewManagedHook(ctx, row), warning: null }
    }),

  set: ofHook
    .input(SetHookInput)
    .output(ManagedHook)
    .mutation(async ({ ctx, input: { secret, ...input } }) => {
      const config = secret === undefined ? undefined : { secret }
      return viewManagedHook(ctx, await changeHook(ctx, ctx.found, () => ({ ...input, config })))
    }),

  remove: ofHook.output(z.void()).mutation(({ ctx }) => removeHook(ctx, ctx.found)),
}
