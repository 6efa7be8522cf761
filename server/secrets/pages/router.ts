import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { PlacePath } from '@/server/places/schema'
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

const inPlace = signedInWith(PlacePath, (ctx, { place }) => loadPlace(ctx, place))
const ofOne = signedInWith(VariableNamePath, (ctx, { place, kind, name }) =>
  loadVariable(ctx, place, refOf(kind, name)),
)

/** Procedures for pages about secrets and variables, the same for every place. */
export const managingProcedures = {
  browse: inPlace
    .input(BrowseVariablesInput)
    .output(BrowsedVariablePage)
    .query(({ ctx, input }) => browseVariables(ctx, ctx.found, input)),

  add: inPlace
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
