import { z } from 'zod'
import { trpc } from '@/app/_lib/trpc'
import { CreateRepoOption, type Repository } from '@/server/repos/schema'

/** What the form asks for. */
export const NewRepository = CreateRepoOption.pick({
  name: true,
  description: true,
  auto_init: true,
  default_branch: true,
}).extend({ owner: z.string(), visibility: z.enum(['public', 'private']) })
export type NewRepository = z.output<typeof NewRepository>

export function createRepository(me: string, input: NewRepository): Promise<Repository> {
  const { owner, visibility, ...rest } = input
  const repository = { ...rest, private: visibility === 'private' }
  return owner === me
    ? trpc.repos.create.mutate(repository)
    : trpc.repos.createInOrg.mutate({ org: owner, ...repository })
}
