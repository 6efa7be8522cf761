import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { filledLine, line, paragraph, pathText, strictBoolean } from '@/server/kernel/wire'
import { User, visibilities } from '@/server/users/schema'

const wireId = z.int().meta({ override: { type: 'integer', format: 'int64' } })

/** `username` repeats `name` for older clients. */
export const Organization = z
  .object({
    id: wireId,
    name: z.string(),
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    description: z.string(),
    website: z.string(),
    location: z.string(),
    visibility: z.enum(visibilities),
    repo_admin_change_team_access: z.boolean(),
    username: z.string(),
  })
  .meta({ id: 'Organization' })
export type Organization = z.output<typeof Organization>
export const OrganizationPage = pageOf(Organization)
export const UserPageOfOrg = pageOf(User)

export const OrgPath = z.object({ org: pathText })
export const ListOrgsInput = z.object(pageInput)
export const OrgListInput = OrgPath.extend(pageInput)

export const orgName = filledLine(40, 'Enter a name for the organization.')

const website = z
  .string()
  .trim()
  .pipe(
    line(255).refine(
      text => text === '' || (URL.canParse(text) && /^https?:\/\//i.test(text)),
      'Enter an address that starts with https:// or http://.',
    ),
  )

export const orgProfile = {
  full_name: line(100).optional(),
  email: line(255).optional(),
  description: paragraph(255).optional(),
  website: website.optional(),
  location: line(50).optional(),
  // An empty word counts as not given.
  visibility: z.enum(['', ...visibilities], { error: 'Choose public, limited or private.' }).optional(),
  repo_admin_change_team_access: strictBoolean.optional(),
}
