import { CreateRepoOption, EditRepoOption } from '@/server/repos/schema'

/** What the form edits; an edit without a name would keep the old one, so that here it must be filled in. */
export const GeneralValues = EditRepoOption.pick({
  description: true,
  website: true,
  default_branch: true,
  template: true,
}).extend({ name: CreateRepoOption.shape.name })
