import type { z } from 'zod'
import type { BlockUserInput } from '@/server/blocks/schema'
import { trpc } from './trpc'

/** Who blocks: an organization one owns, or oneself when there is none. */
export type Blocker = string | undefined

export const listBlocked = (org: Blocker, page: number) =>
  org === undefined ? trpc.blocks.list.query({ page }) : trpc.blocks.listOfOrg.query({ org, page })

export const blockUser = (org: Blocker, input: z.output<typeof BlockUserInput>) =>
  org === undefined ? trpc.blocks.block.mutate(input) : trpc.blocks.blockForOrg.mutate({ org, ...input })

export const unblockUser = (org: Blocker, username: string) =>
  org === undefined
    ? trpc.blocks.unblock.mutate({ username })
    : trpc.blocks.unblockForOrg.mutate({ org, username })
