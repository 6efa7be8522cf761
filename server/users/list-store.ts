import { type RawBuilder, type ReferenceExpression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, likePattern, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { Visibility } from '@/db/tables/users'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

type CountedAccount = Account & { total: number }

export interface UserFilter {
  /**
   * Text that the username or full name must contain, ignoring case; also searches email addresses if the
   * viewer can see all of them.
   */
  text?: string | undefined
  id?: number | undefined
  visibility?: Visibility | undefined
  /** Full login name at the login source. */
  loginName?: string | undefined
  sourceId?: number | undefined
  isActive?: boolean | undefined
  isAdmin?: boolean | undefined
  isRestricted?: boolean | undefined
  isProhibited?: boolean | undefined
  mustChangePassword?: boolean | undefined
  /** Whether to match full email addresses of people who show theirs to signed-in users. */
  byAddress?: boolean | undefined
  /** Condition that leaves out people hidden from the viewer; undefined if the viewer can see everyone. */
  visible?: RawBuilder<SqlBool> | undefined
}

export interface UserSort {
  by: 'id' | 'name' | 'update' | 'lastLogin'
  direction: 'asc' | 'desc'
}

type UserQuery<O> = SelectQueryBuilder<Database, 'users', O>

function matching<O>(query: UserQuery<O>, filter: UserFilter): UserQuery<O> {
  let narrowed = query.where('users.kind', '=', 'person')
  for (const [column, value] of exactly(filter)) {
    if (value !== undefined) narrowed = narrowed.where(column, '=', value)
  }
  if (filter.text) {
    // A search reads the whole table, which takes a few milliseconds for thousands of accounts.
    const pattern = likePattern(filter.text)
    narrowed = narrowed.where(eb =>
      eb.or([
        eb(sql`lower(users.name)`, 'like', pattern),
        eb(sql`lower(users.full_name)`, 'like', pattern),
        // Otherwise, hidden email addresses could be guessed letter by letter.
        ...(filter.visible ? [] : [eb(sql`lower(users.email)`, 'like', pattern)]),
        ...(filter.byAddress
          ? [
              eb.and([
                eb('users.hide_email', '=', false),
                eb(sql`lower(users.email)`, '=', sql`lower(${filter.text})`),
              ]),
            ]
          : []),
      ]),
    )
  }
  return filter.visible ? narrowed.where(filter.visible) : narrowed
}

const exactly = (
  filter: UserFilter,
): [ReferenceExpression<Database, 'users'>, string | number | boolean | undefined][] => [
  ['users.id', filter.id],
  ['users.visibility', filter.visibility],
  ['users.login_name', filter.loginName],
  ['users.login_source_id', filter.sourceId],
  ['users.is_active', filter.isActive],
  ['users.is_admin', filter.isAdmin],
  ['users.is_restricted', filter.isRestricted],
  ['users.prohibit_login', filter.isProhibited],
  ['users.must_change_password', filter.mustChangePassword],
]

const sortColumns = {
  name: sql`lower(users.name)`,
  update: sql`users.updated_at`,
  // No index, because every sign-in would have to update it. People who never signed in come first in
  // ascending order.
  lastLogin: sql`coalesce(users.last_login_at, '-infinity')`,
} as const

export function selectUsers(
  db: Db,
  filter: UserFilter,
  { by, direction }: UserSort,
  page: PageRequest,
): Promise<CountedAccount[]> {
  let query = matching(db.selectFrom('users'), filter).select([...accountColumns, windowTotal])
  if (by !== 'id') query = query.orderBy(sortColumns[by], direction)
  return query.orderBy('users.id', direction).limit(page.limit).offset(offsetOf(page)).execute()
}

export function countUsers(db: Db, filter: UserFilter): Promise<number> {
  return countRows(matching(db.selectFrom('users'), filter))
}
