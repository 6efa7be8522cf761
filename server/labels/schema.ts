import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { type PageRequest, pageInput, pageOf } from '@/server/kernel/pagination'
import { filledLine, id, paragraph, pathText, queryText, strictBoolean, wireId } from '@/server/kernel/wire'
import { OrgPath } from '@/server/orgs/schema'
import { RepoPath } from '@/server/repos/schema'

export const maxLabelNameLength = 100
export const maxLabelDescriptionLength = 1000

export const Label = z
  .object({
    id: wireId,
    name: z.string(),
    exclusive: z.boolean(),
    is_archived: z.boolean(),
    color: z.string().describe('Six hexadecimal digits in lower case.'),
    description: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Label' })
export type Label = z.output<typeof Label>
export const LabelPage = pageOf(Label)

const color = z
  .string()
  .trim()
  .regex(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i, 'Enter a color as six hexadecimal digits, such as #1f6feb.')
  .transform(text => {
    const digits = text.replace('#', '').toLowerCase()
    return digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  })
  .meta({ override: { type: 'string' } })
  .describe('Three or six hexadecimal digits, with or without `#`.')

const fields = {
  name: filledLine(maxLabelNameLength, 'Enter a name for the label.'),
  color,
  description: paragraph(maxLabelDescriptionLength),
  exclusive: strictBoolean.describe(
    'Whether an issue can have only one of the labels that share the name before the last slash.',
  ),
  is_archived: strictBoolean,
}

export const CreateLabelOption = z.object({
  ...fields,
  description: fields.description.default(''),
  exclusive: fields.exclusive.default(false),
  is_archived: fields.is_archived.default(false),
})
export type CreateLabelOption = z.output<typeof CreateLabelOption>

/** Input for updating a label. Absent fields are left unchanged. */
export const EditLabelOption = z.object(fields).partial()
export type EditLabelOption = z.output<typeof EditLabelOption>

const sort = queryText
  .optional()
  .meta({
    override: {
      type: 'string',
      enum: ['alphabetically', 'reversealphabetically', 'leastissues', 'mostissues'],
    },
  })
  .describe('Order of the labels; by name by default. There are no issues to count.')

export const ListRepoLabelsInput = RepoPath.extend({ ...pageInput, sort })
export const ListOrgLabelsInput = OrgPath.extend({ ...pageInput, sort })
export type LabelListing = PageRequest & { sort?: string | undefined }

const idOrName = pathText.describe('The ID or the name of the label.')
export const RepoLabelPath = RepoPath.extend({ id: idOrName })
export const OrgLabelPath = OrgPath.extend({ id: idOrName })
export const LabelId = z.object({ id })

export const LabelTemplateEntry = Label.pick({
  name: true,
  color: true,
  description: true,
  exclusive: true,
}).meta({
  id: 'LabelTemplate',
})
export type LabelTemplateEntry = z.output<typeof LabelTemplateEntry>
export const LabelTemplatePath = z.object({ name: pathText })

/** What labels belong to. */
export const HolderInput = z.object({ holder: z.union([RepoPath.strict(), OrgPath.strict()]) })
export const ShowLabelsInput = HolderInput.extend({ page: pageInput.page })
export type LabelHolderName = z.output<typeof HolderInput>['holder']

export const SaveLabelInput = LabelId.extend(formEdit(EditLabelOption).shape)
export type SaveLabelInput = z.output<typeof SaveLabelInput>

/** A page of labels, and whether the caller can change them. */
export const LabelOverview = LabelPage.extend({ may_edit: z.boolean() })
export type LabelOverview = z.output<typeof LabelOverview>
