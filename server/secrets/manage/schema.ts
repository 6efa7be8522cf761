import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { description, nameProblem, secretValue, variableValue } from '../schema'

const kind = z.enum(['secret', 'variable'])

/** A secret or variable as pages show it. */
export const BrowsedVariable = z.object({
  id: z.int(),
  name: z.string(),
  /** Null for a secret. */
  value: z.string().nullable(),
  description: z.string(),
  created_at: wireTimeSchema,
  updated_at: wireTimeSchema,
})
export type BrowsedVariable = z.output<typeof BrowsedVariable>

/** A secret or variable that jobs also get, from the owner or the site. */
const InheritedVariable = z.object({
  name: z.string(),
  from: z.enum(['owner', 'site']),
  /** Whether a more specific one with the same name takes precedence. */
  overridden: z.boolean(),
})
export type InheritedVariable = z.output<typeof InheritedVariable>

export const BrowsedVariablePage = pageOf(BrowsedVariable).extend({ inherited: z.array(InheritedVariable) })
export type BrowsedVariablePage = z.output<typeof BrowsedVariablePage>

export const BrowseVariablesInput = ScopePath.extend({ kind, ...pageInput })

const name = z
  .string()
  .trim()
  .superRefine((text, issues) => {
    const problem = text === '' ? 'Enter a name.' : nameProblem(text)
    if (problem) issues.addIssue(problem)
  })

/** Fields of the form for a new secret or variable. */
export const SecretFields = z.object({ name, value: secretValue, description })
export const VariableFields = z.object({ name, value: variableValue, description })

/** Fields of the form for an existing secret or variable. The value of a secret is empty until a new one is typed. */
export const SavedSecretFields = SecretFields.extend({ value: z.union([z.literal(''), secretValue]) })

export const AddVariableInput = z.discriminatedUnion('kind', [
  ScopePath.extend({ kind: z.literal('secret'), ...SecretFields.shape }),
  ScopePath.extend({ kind: z.literal('variable'), ...VariableFields.shape }),
])
export type AddVariableInput = z.output<typeof AddVariableInput>

/** Path of a secret or variable by its current name. */
export const VariableNamePath = ScopePath.extend({ kind, name: line(255) })

export const SaveVariableInput = VariableNamePath.extend(formEdit(SecretFields.partial()).shape)
export type SaveVariableInput = z.output<typeof SaveVariableInput>
