import { z } from 'zod'
import { tooLong } from '@/server/kernel/wire'

/** The password is left out by those who keep it elsewhere. */
export const RevokeOwnInput = z.object({
  current_password: z.string().max(255, tooLong(255)).optional(),
})
export type RevokeOwnInput = z.output<typeof RevokeOwnInput>

/**
 * What was taken from an account, in numbers; whether it had a token that registers runners, which was replaced; how many
 * transfers of repositories, which it had offered, were canceled; and the keys that stay, with the first titles of them.
 */
export const Revocation = z
  .object({
    keys: z.int(),
    tokens: z.int(),
    sessions: z.int(),
    registration_token: z.boolean(),
    offers: z.int(),
    kept_keys: z.object({ total: z.int(), names: z.array(z.string()) }),
  })
  .meta({ id: 'Revocation' })
export type Revocation = z.output<typeof Revocation>
