import type { z } from 'zod'
import { CreateRepoOption, EditRepoOption, type Repository } from '@/server/repos/schema'

/** What the form edits; an edit without a name would keep the old one, so that here it must be filled in. */
export const GeneralValues = EditRepoOption.pick({
  description: true,
  website: true,
  default_branch: true,
  template: true,
}).extend({ name: CreateRepoOption.shape.name })
export type GeneralValues = z.input<typeof GeneralValues>

export const generalValuesOf = (repository: Repository): GeneralValues => ({
  name: repository.name,
  description: repository.description,
  website: repository.website,
  default_branch: repository.default_branch,
  template: repository.template,
})
