import { z } from 'zod'
import { CreateRepoOption, EditRepoOption } from '@/server/repos/schema'

/** Values of the form that creates a repository. */
export const NewRepository = CreateRepoOption.pick({
  name: true,
  description: true,
  auto_init: true,
  gitignores: true,
  license: true,
  issue_labels: true,
  default_branch: true,
}).extend({ owner: z.string(), visibility: z.enum(['public', 'private']) })
export type NewRepository = z.output<typeof NewRepository>

/**
 * Values of the form with a repository's general settings. The API keeps the name if it is left out, but the
 * form requires it.
 */
export const GeneralValues = EditRepoOption.pick({
  description: true,
  website: true,
  default_branch: true,
  template: true,
}).extend({ name: CreateRepoOption.shape.name })
