import { z } from 'zod'
import { CreateRepoOption } from '@/server/repos/schema'

/** What the form asks for. */
export const NewRepository = CreateRepoOption.pick({
  name: true,
  description: true,
  auto_init: true,
  gitignores: true,
  license: true,
  default_branch: true,
}).extend({ owner: z.string(), visibility: z.enum(['public', 'private']) })
export type NewRepository = z.output<typeof NewRepository>
