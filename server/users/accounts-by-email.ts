import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { selectAccountsByEmail } from './store'
import { noReply, noReplyId } from './view'

/**
 * Returns the accounts of commit authors by email address, as passed. Finds people who show their email address
 * and people whose no-reply address is passed.
 */
export async function findAccountsByEmail(
  ctx: Pick<ServiceCtx, 'db' | 'config'>,
  emails: readonly string[],
): Promise<Map<string, Account>> {
  const distinct = [...new Set(emails)].filter(email => email.includes('@'))
  if (distinct.length === 0) return new Map()
  const idOf = new Map(distinct.map(email => [email, noReplyId(ctx, email.toLowerCase())]))
  const ids = [...idOf.values()].flatMap(id => id ?? [])
  const lowercase = distinct.map(email => email.toLowerCase())
  const people = await selectAccountsByEmail(ctx.db, { emails: lowercase, ids })
  const open = people.filter(({ hide_email }) => !hide_email)
  const byEmail = new Map(open.map(person => [person.email.toLowerCase(), person]))
  const byId = new Map(people.map(person => [person.id, person]))
  return new Map(
    distinct.flatMap(email => {
      const id = idOf.get(email)
      const found = id === undefined ? byEmail.get(email.toLowerCase()) : byId.get(id)
      return found === undefined ? [] : [[email, found]]
    }),
  )
}

/** Returns the email addresses by which commits of a person are known: the no-reply one, and the one that they show. */
export const commitAddressesOf = ({ config }: Pick<ServiceCtx, 'config'>, person: Account): string[] => [
  ...(person.hide_email ? [] : [person.email]),
  noReply(person, config.baseUrl),
]
