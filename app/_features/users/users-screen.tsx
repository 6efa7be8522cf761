'use client'
import {
  KebabHorizontalIcon,
  KeyIcon,
  PencilIcon,
  PeopleIcon,
  PersonIcon,
  PlusIcon,
  TrashIcon,
} from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink, TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Menu, MenuAction, MenuDivider, MenuLink } from '@/app/_components/menu'
import { PageHeading } from '@/app/_components/page-heading'
import { Pager } from '@/app/_components/pager'
import { Button, IconButton, Label } from '@/app/_components/primer'
import { QuerySelect, SearchBox } from '@/app/_components/query-controls'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { isNever } from '@/app/_lib/format'
import { usersQuery } from '@/app/_lib/queries/users'
import { useAddForm } from '@/app/_lib/use-add-form'
import type { User } from '@/server/users/schema'
import { AddUserForm } from './add-user-form'
import { DeleteUserDialog } from './delete-user'
import { orders, shows, type UserChoice, userListInput } from './user-choices'
import styles from './users.module.css'

export function UsersScreen({ choice }: { choice: UserChoice }): ReactNode {
  const form = useAddForm()
  return (
    <>
      <PageHeading
        title="Users"
        actions={
          form.open ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              New user
            </Button>
          )
        }
      >
        Everyone with an account on this site.
      </PageHeading>
      {form.open ? <AddUserForm onDone={form.hide} /> : null}
      <div className={styles.tools}>
        <SearchBox label="Search users" placeholder="Search by name or e-mail address" q={choice.q} />
        <QuerySelect label="Show" name="show" value={choice.show} choices={shows} />
        <QuerySelect label="Sort by" name="sort" value={choice.sort} choices={orders} />
      </div>
      <UserList choice={choice} />
    </>
  )
}

function UserList({ choice }: { choice: UserChoice }): ReactNode {
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

function UserRow({ user, onDelete }: { user: User; onDelete: () => void }): ReactNode {
  return (
    <tr>
      <th scope="row">
        <span className={styles.user}>
          <UserAvatar id={user.id} size={32} />
          <span className={styles.names}>
            <span className={styles.login}>
              <TextLink href={`/-/admin/users/${user.login}`}>{user.login}</TextLink>
              <UserBadges user={user} />
            </span>
            {user.full_name ? (
              <span className={styles.fullName} dir="auto">
                {user.full_name}
              </span>
            ) : null}
            <span className={styles.narrowEmail}>{user.email}</span>
          </span>
        </span>
      </th>
      <td className={`${styles.wide} ${styles.email}`}>{user.email}</td>
      <td className={styles.wide}>
        <RelativeDate value={user.created} />
      </td>
      <td className={styles.medium}>
        {isNever(user.last_login) ? 'Never' : <RelativeDate value={user.last_login} />}
      </td>
      <td className={styles.menu}>
        <UserMenu user={user} onDelete={onDelete} />
      </td>
    </tr>
  )
}

function UserBadges({ user }: { user: User }): ReactNode {
  return (
    <>
      {user.is_admin ? <Label variant="accent">Administrator</Label> : null}
      {user.prohibit_login ? <Label variant="danger">Disabled</Label> : null}
      {user.restricted ? <Label variant="secondary">Restricted</Label> : null}
      {user.active ? null : <Label variant="attention">Not activated</Label>}
    </>
  )
}

function UserMenu({ user, onDelete }: { user: User; onDelete: () => void }): ReactNode {
  const { login } = user
  return (
    <Menu
      label={`Actions for ${login}`}
      button={props => (
        <IconButton {...props} icon={KebabHorizontalIcon} variant="invisible" unsafeDisableTooltip />
      )}
    >
      <MenuLink href={`/-/admin/users/${login}`} visual={<PencilIcon />}>
        Edit
      </MenuLink>
      <MenuLink href={`/-/admin/users/${login}/keys`} visual={<KeyIcon />}>
        SSH keys
      </MenuLink>
      <MenuLink href={`/${login}`} visual={<PersonIcon />}>
        View profile
      </MenuLink>
      <MenuDivider />
      <MenuAction visual={TrashIcon} danger onSelect={onDelete}>
        Delete…
      </MenuAction>
    </Menu>
  )
}
