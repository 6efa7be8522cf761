'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { usersQuery } from '@/app/_lib/queries'
import type { User } from '@/server/users/schema'
import { DeleteUserDialog } from './delete-user'
import { type UserChoice, userListInput } from './user-choices'
import { UserRow } from './user-row'
import styles from './users.module.css'

export function UserList({ choice }: { choice: UserChoice }): ReactNode {
  const { data } = useQuery({ ...usersQuery(userListInput(choice)), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<User>()
  if (!data) return <ListSkeleton />
  if (data.total === 0) {
    return (
      <EmptyState
        icon={PeopleIcon}
        title="No user matches"
        action={<ButtonLink href="/-/admin/users">Show everybody</ButtonLink>}
      >
        <p>
          {choice.q
            ? `Nobody in this list has “${choice.q}” in their name or e-mail address.`
            : 'Nobody is in this list.'}
        </p>
      </EmptyState>
    )
  }

  return (
    <>
      <table className={styles.table}>
        <caption className={styles.caption}>
          {data.total.toLocaleString('en-US')} {data.total === 1 ? 'user' : 'users'}
        </caption>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col" className={styles.wide}>
              E-mail address
            </th>
            <th scope="col" className={styles.wide}>
              Created
            </th>
            <th scope="col" className={styles.medium}>
              Last signed in
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.items.map(user => (
            <UserRow key={user.id} user={user} onDelete={() => setDeleting(user)} />
          ))}
        </tbody>
      </table>
      <Pager label="Pages of users" page={choice.page} limit={data.limit} total={data.total} />
      {deleting ? (
        <DeleteUserDialog username={deleting.login} onClose={() => setDeleting(undefined)} />
      ) : null}
    </>
  )
}
