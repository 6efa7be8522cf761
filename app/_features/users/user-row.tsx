'use client'
import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { isNever } from '@/app/_lib/format'
import type { User } from '@/server/users/schema'
import { UserMenu } from './user-menu'
import styles from './users.module.css'

export function UserRow({ user, onDelete }: { user: User; onDelete: () => void }): ReactNode {
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

export function UserBadges({ user }: { user: User }): ReactNode {
  return (
    <>
      {user.is_admin ? <Label variant="accent">Administrator</Label> : null}
      {user.prohibit_login ? <Label variant="danger">Disabled</Label> : null}
      {user.restricted ? <Label variant="secondary">Restricted</Label> : null}
      {user.active ? null : <Label variant="attention">Not activated</Label>}
    </>
  )
}
