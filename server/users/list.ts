import { type Caller, isAdmin } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { seesOnlyPublic } from './policy'
import type { User } from './schema'
import { countUsers, selectUsers, type UserFilter } from './store'
import { viewUser } from './view'

/** No name is longer; a longer text finds nobody and costs nothing. */
const maxTextLength = 100

/** A page of the accounts this caller may see, oldest first, narrowed to a text or an id when given. */
export async function listUsers(
  ctx: ServiceCtx,
  input: PageRequest & { q?: string; uid?: number },
): Promise<Page<User>> {
  const text = input.q?.trim().replaceAll('\0', '')
  if (text && text.length > maxTextLength) return { ...input, items: [], total: 0 }
  const filter: UserFilter = {
    text,
    id: input.uid,
    visibleTo: visibleTo(ctx.caller),
  }
  const rows = await selectUsers(ctx.db, filter, input)
  const page = await pageFromRows(input, rows, () => countUsers(ctx.db, filter))
  return { ...page, items: page.items.map(row => viewUser(row, ctx.caller, ctx.config.baseUrl)) }
}

function visibleTo(viewer: Caller): UserFilter['visibleTo'] {
  if (viewer.kind === 'anonymous' || seesOnlyPublic(viewer)) return { viewerId: null }
  return isAdmin(viewer) ? undefined : { viewerId: viewer.user.id }
}
