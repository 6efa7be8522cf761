import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { originOf, recordEvent } from '@/server/kernel/events/record'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { explainGone } from '@/server/users'
import { getOrg } from './find'
import { requireOwner } from './policy'
import { profileOf } from './profile'
import { requirePublicScope } from './public-scope'
import type { EditOrgOption, Organization, SaveOrgInput } from './schema'
import { lockProfile, updateOrg } from './store'
import { viewOrg } from './view'

/** Changes what was given of an organization's profile, for its owners; never its name. Throws notFound, forbidden. */
export async function editOrg(ctx: UserCtx, input: EditOrgOption): Promise<Organization> {
  return await edit(ctx, input)
}

/** Changes what a form changed of an organization's profile. Throws as `editOrg` and as `requireUnchanged`. */
export async function saveOrg(ctx: UserCtx, input: SaveOrgInput): Promise<Organization> {
  return await edit(ctx, { org: input.org, ...input.changes }, input)
}

async function edit(ctx: UserCtx, input: EditOrgOption, form?: SaveOrgInput): Promise<Organization> {
  const found = await getOrg(ctx, input.org)
  requireOwner(found)
  const change = profileOf(input)
  requirePublicScope(ctx.caller, change.visibility ?? 'public')
  const { baseUrl } = ctx.config
  if (Object.keys(change).length === 0) return viewOrg(found.org, ctx.caller, baseUrl)
  try {
    return await withTransaction(ctx.db, async trx => {
      const current = form && (await lockProfile(trx, found.org.id))
      if (current) requireUnchanged(current, form)
      const org = await updateOrg(trx, found.org.id, change)
      if (!org) throw gone('organization')
      const facts = { orgId: org.id, name: org.name, changed: Object.keys(change).sort().join(' ') }
      await recordEvent(trx, originOf(ctx), { kind: 'org.edited', ownerId: org.id, facts })
      return viewOrg(org, ctx.caller, baseUrl)
    })
  } catch (error) {
    throw explainGone(error)
  }
}
