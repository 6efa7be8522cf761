import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type Account, accountColumns } from './account'

/** A person or an organization. Names are compared without regard to case. */
export async function findAccountByName(db: Db, name: string): Promise<Account | undefined> {
  if (!couldBeName(name)) return undefined
  return await db
    .selectFrom('users')
    .select(accountColumns)
    .where(sql`lower(users.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  return await db.selectFrom('users').select(accountColumns).where('users.id', '=', id).executeTakeFirst()
}

/** A person by name: for all that only people can do or have. */
export async function findPersonByName(db: Db, name: string): Promise<Account | undefined> {
  const account = await findAccountByName(db, name)
  return account?.kind === 'person' ? account : undefined
}

/** Those of these names that are people's. */
export async function findPeopleByName(db: Db, names: readonly string[]): Promise<Account[]> {
  const wanted = names.filter(couldBeName).map(name => name.toLowerCase())
  return await db
    .selectFrom('users')
    .select(accountColumns)
    .where(sql`lower(users.name)`, '=', sql<string>`any (${wanted}::text[])`)
    .where('users.kind', '=', 'person')
    .orderBy('users.id')
    .execute()
}

/** The account that had this name before it was renamed, if nobody else has it now. */
export async function findRenamedAccount(db: Db, name: string): Promise<Account | undefined> {
  if (!couldBeName(name)) return undefined
  return await db
    .selectFrom('account_redirects')
    .innerJoin('users', 'users.id', 'account_redirects.account_id')
    .select(accountColumns)
    .where('account_redirects.name', '=', name.toLowerCase())
    .executeTakeFirst()
}

const couldBeName = (text: string): boolean => /^[\w.-]{1,64}$/.test(text)
