'use client'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { User } from '@/server/users/schema'
import styles from './orgs.module.css'

interface PersonRowProps {
  person: User
  /** Checkbox that selects the row. */
  check?: ReactNode
  labels?: ReactNode
  action?: ReactNode
}

export function PersonRow({ person, check, labels, action }: PersonRowProps): ReactNode {
  const { id, login, full_name } = person
  return (
    <ListRow check={check} visual={<UserAvatar id={id} size={32} />} action={action}>
      <div className={styles.title}>
        <strong>
          <QuietLink href={`/${encodeURIComponent(login)}`}>{login}</QuietLink>
        </strong>
        {labels}
      </div>
      {full_name ? (
        <p className={styles.muted}>
          <bdi>{full_name}</bdi>
        </p>
      ) : null}
    </ListRow>
  )
}
