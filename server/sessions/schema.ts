import { z } from 'zod'
import { browseInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import { tooLong } from '@/server/kernel/wire'
import { User } from '@/server/users/schema'

export const SignInInput = z.object({
  login: z.string().trim().min(1, 'Enter your username or email address.').max(254, tooLong(254)),
  password: z.string().min(1, 'Enter your password.').max(255, tooLong(255)),
})
export type SignInInput = z.output<typeof SignInInput>

/** The signed-in person and the data that pages need about them. */
export const CurrentSession = z.object({
  user: User,
  must_change_password: z.boolean(),
  login_type: z.string(),
  may_manage_keys: z.boolean(),
})
export type CurrentSession = z.output<typeof CurrentSession>

export const Session = z.object({
  id: z.int(),
  current: z.boolean(),
  /** Browser name, such as "Firefox on Linux". */
  name: z.string(),
  user_agent: z.string(),
  remote_address: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
})
export type Session = z.output<typeof Session>

export const SessionPage = pageOf(Session)

export const BrowseSessionsInput = z.object(browseInput(['active', 'newest']))
export type BrowseSessionsInput = z.output<typeof BrowseSessionsInput>

export const SessionPath = z.object({ id: z.int() })
export const SessionsPath = z.object({ ids: selectedIds })
