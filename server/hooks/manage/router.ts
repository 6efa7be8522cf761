import { z } from 'zod'
import { ScopePath } from '@/server/scopes/schema'
import { signedInWith } from '@/server/trpc/procedures'
import { changeHook } from '../edit'
import { loadHook, loadHookScope } from '../load'
import { removeHook } from '../remove'
import { ScopedHookPath } from '../schema'
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

const inScope = signedInWith(ScopePath, (ctx, { scope }) => loadHookScope(ctx, scope))
const ofHook = signedInWith(ScopedHookPath, (ctx, { scope, id }) => loadHook(ctx, scope, id))

/**
 * tRPC procedures for the pages that manage webhooks. Used for the webhooks of accounts, organizations,
 * repositories, and the site.
 */
export const managingProcedures = {
  browse: inScope
    .input(BrowseHooksInput)
    .output(BrowsedHookPage)
    .query(({ ctx, input }) => browseHooks(ctx, ctx.found, input)),

  get: ofHook.output(BrowsedHook).query(({ ctx }) => showHook(ctx, ctx.found)),

  checkAddress: inScope
    .input(CheckAddressInput)
    .output(AddressWarning.nullable())
    .query(({ ctx, input }) => findAddressWarning(ctx, input.url)),

  add: inScope
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
