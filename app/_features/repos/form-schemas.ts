import { z } from 'zod'
import { CreateRepoOption, EditRepoOption } from '@/server/repos/schema'

/** What the form for a new repository asks for. */
export const NewRepository = CreateRepoOption.pick({
  name: true,
  description: true,
  auto_init: true,
  gitignores: true,
  license: true,
  default_branch: true,
}).extend({ owner: z.string(), visibility: z.enum(['public', 'private']) })
export type NewRepository = z.output<typeof NewRepository>

/** What the general settings edit. A call without a name keeps the old one, so that here it must be filled in. */
export const GeneralValues = EditRepoOption.pick({
  description: true,
  website: true,
  default_branch: true,
  template: true,
}).extend({ name: CreateRepoOption.shape.name })
