import type { ServiceCtx } from '@/server/kernel/ctx'
import { selectNames } from './store'
import { noReplyId } from './view'

/**
 * Returns the usernames of commit authors by email address, as passed. Finds people who show their email
 * address and people whose no-reply address is passed.
 */
export async function findNamesByEmail(
  ctx: ServiceCtx,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(emails)].filter(email => email.includes('@'))
  if (distinct.length === 0) return new Map()
  const idOf = new Map(distinct.map(email => [email, noReplyId(ctx, email.toLowerCase())]))
  const ids = [...idOf.values()].flatMap(id => id ?? [])
  const people = await selectNames(ctx.db, { emails: distinct.map(email => email.toLowerCase()), ids })
  const open = people.filter(({ hide_email }) => !hide_email)
  const byEmail = new Map(open.map(({ email, name }) => [email.toLowerCase(), name]))
  const byId = new Map(people.map(({ id, name }) => [id, name]))
  return new Map(
    distinct.flatMap(email => {
      const id = idOf.get(email)
      const name = id === undefined ? byEmail.get(email.toLowerCase()) : byId.get(id)
      return name === undefined ? [] : [[email, name]]
    }),
  )
}
