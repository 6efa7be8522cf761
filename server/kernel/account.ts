import { type Selectable, sql } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import type { UsersTable } from '@/db/tables/users'

/**
 * Columns of a person or organization that every part of the server can read: all except counts and the
 * password hash, which only `auth/credentials/password.ts` selects.
 */
export const accountColumns = [
  'users.id',
  'users.name',
  'users.full_name',
  'users.email',
  'users.hide_email',
  'users.login_type',
  'users.login_source_id',
  'users.login_name',
  'users.is_admin',
  'users.is_active',
  'users.prohibit_login',
  'users.must_change_password',
  'users.is_restricted',
  'users.visibility',
  'users.location',
  'users.website',
  'users.description',
  'users.language',
  'users.theme',
  'users.diff_view_style',
  'users.hide_activity',
  'users.created_at',
  'users.last_login_at',
  'users.kind',
  'users.repo_admin_change_team_access',
  'users.may_create_organization',
  'users.max_repositories',
] as const

type Column<T> = T extends `users.${infer Name extends keyof UsersTable}` ? Name : never

/** A person or an organization, without its password hash. */
export type Account = Pick<Selectable<UsersTable>, Column<(typeof accountColumns)[number]>>

/** Finds a person or organization by name, ignoring case. */
export async function findAccountByName(db: Db, name: string): Promise<Account | undefined> {
  if (!couldBeName(name)) return undefined
  return (await accountsByName(db, { name: name.toLowerCase() }))[0]
}

const accountsByName = fixedQuery((db, { name }: { name: string }) =>
  frequentAccounts(db).where(sql`lower(users.name)`, '=', name),
)

/** Finds a person or organization by ID. */
export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  return (await accountsById(db, { id }))[0]
}

const accountsById = fixedQuery((db, { id }: { id: number }) =>
  frequentAccounts(db).where('users.id', '=', id),
)

const frequentAccounts = (db: Db) => db.selectFrom('users').modifyFront(prepared).select(accountColumns)

/** Finds a person by name, ignoring case; undefined if the name is an organization's. */
export async function findPersonByName(db: Db, name: string): Promise<Account | undefined> {
  const account = await findAccountByName(db, name)
  return account?.kind === 'person' ? account : undefined
}

/** Finds the people with these names, ordered by ID. Unknown names and names of organizations are skipped. */
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

/** Finds the account that used this name before it was renamed, if no other account has taken the name since. */
export async function findRenamedAccount(db: Db, name: string): Promise<Account | undefined> {
  if (!couldBeName(name)) return undefined
  return await db
    .selectFrom('account_redirects')
    .innerJoin('users', 'users.id', 'account_redirects.account_id')
    .select(accountColumns)
    .where('account_redirects.name', '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Returns whether an account could have this name. */
export const couldBeName = (text: string): boolean => /^[\w.-]{1,64}$/.test(text)
