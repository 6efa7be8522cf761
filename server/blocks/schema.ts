import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, pathText } from '@/server/kernel/wire'
import { candidateSearch, User } from '@/server/users/schema'

export const ListBlocksInput = z.object(pageInput)
export const BlockPath = z.object({ username: pathText })

/** Input for blocking a person. The note is visible only to the blocking account. */
export const BlockUserInput = BlockPath.extend({ note: line(255).optional() })
export const BlockedUserPage = pageOf(User)

const ofOrg = { org: pathText }
export const ListOrgBlocksInput = ListBlocksInput.extend(ofOrg)
export const OrgBlockPath = BlockPath.extend(ofOrg)
export const BlockForOrgInput = BlockUserInput.extend(ofOrg)
export const BlockCandidatesInput = z.object({ org: pathText.optional(), ...candidateSearch })
