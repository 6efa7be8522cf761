import { z } from 'zod'
import { loadScope } from '@/server/scopes'
import { ScopePath } from '@/server/scopes/schema'
import { signedInWith } from '@/server/trpc/procedures'
import { addVariable } from '../add'
import { loadVariable } from '../load'
import { removeVariable } from '../remove'
import { refOf } from '../rules'
import { browseVariables, saveVariable, viewBrowsed } from './browse'
import {
  AddVariableInput,
  BrowsedVariable,
  BrowsedVariablePage,
  BrowseVariablesInput,
  SaveVariableInput,
  VariableNamePath,
} from './schema'

const inScope = signedInWith(ScopePath, (ctx, { scope }) => loadScope(ctx, scope))
const ofOne = signedInWith(VariableNamePath, (ctx, { scope, kind, name }) =>
  loadVariable(ctx, scope, refOf(kind, name)),
)

/** Procedures for the pages that manage secrets and variables, shared by all scopes. */
export const managingProcedures = {
  browse: inScope
    .input(BrowseVariablesInput)
    .output(BrowsedVariablePage)
    .query(({ ctx, input }) => browseVariables(ctx, ctx.found, input)),

  add: inScope
    .input(AddVariableInput)
    .output(BrowsedVariable)
    .mutation(async ({ ctx, input: { kind, ...input } }) =>
      viewBrowsed(await addVariable(ctx, ctx.found, kind, input)),
    ),

  save: ofOne
    .input(SaveVariableInput)
    .output(BrowsedVariable)
    .mutation(({ ctx, input }) => saveVariable(ctx, ctx.found, input)),

  remove: ofOne.output(z.void()).mutation(({ ctx }) => removeVariable(ctx, ctx.found)),
}
