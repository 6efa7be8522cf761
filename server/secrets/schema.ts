import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, pathText, wireId, wireTimeSchema } from '@/server/kernel/wire'

export const maxNameLength = 255
export const maxValueBytes = 64 * 1024

export const Secret = z
  .object({
    name: z.string(),
    description: z.string(),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
  })
  .meta({ id: 'Secret' })
export type Secret = z.output<typeof Secret>
export const SecretPage = pageOf(Secret)

export const ActionVariable = z
  .object({
    owner_id: wireId.describe('ID of the owner; zero for repository and site variables.'),
    repo_id: wireId.describe('ID of the repository; zero if the variable does not belong to one.'),
    name: z.string(),
    data: z.string(),
    description: z.string(),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
  })
  .meta({ id: 'ActionVariable' })
export type ActionVariable = z.output<typeof ActionVariable>
export const ActionVariablePage = pageOf(ActionVariable)

export const SecretPath = z.object({ secretname: pathText })
export const VariablePath = z.object({ variablename: pathText })
export const ListInput = z.object(pageInput)

/** Returns why a secret or variable cannot have a name; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length > maxNameLength) return `Use at most ${maxNameLength} characters.`
  if (!/^[a-z_][a-z0-9_]*$/i.test(name)) {
    return 'Use only letters, numbers, and underscores, and start with a letter or an underscore.'
  }
  if (/^(github|gitea)_/i.test(name))
    return 'Names that start with GITHUB_ or GITEA_ are reserved for the values that are set for each job.'
}

const valueField = (whose: string) =>
  z
    .string()
    .min(1, `Enter the value of the ${whose}.`)
    .refine(
      text => new TextEncoder().encode(text).length <= maxValueBytes,
      `Use at most ${maxValueBytes / 1024} KiB.`,
    )
    .refine(text => text.isWellFormed() && !text.includes('\0'), 'Remove the invalid characters.')
    .describe(`The value, which can be at most ${maxValueBytes / 1024} KiB.`)

export const secretValue = valueField('secret')
export const variableValue = valueField('variable')
export const description = z.string().trim().pipe(line(500))

export const CreateOrUpdateSecretOption = SecretPath.extend({
  data: secretValue,
  description: description.optional(),
})

export const CreateVariableOption = VariablePath.extend({
  value: variableValue,
  description: description.optional(),
})

/** Changes of a variable. An absent description and an empty name leave the field unchanged. */
export const UpdateVariableOption = CreateVariableOption.extend({
  name: z.string().max(1024).optional().describe('The new name. If it is empty, the name stays unchanged.'),
})
