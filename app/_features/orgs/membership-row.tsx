'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { UserAvatar } from '@/app/_components/user-avatar'
import { orgPath } from '@/app/_lib/paths'
import type { Membership } from '@/server/orgs/schema'
import styles from './orgs.module.css'
import { visibilityLabels } from './visibility'

/** Row for one of the viewer's organizations, with the viewer's role in it. */
export function MembershipRow({ membership }: { membership: Membership }): ReactNode {
  const { organization, is_owner: isOwner, is_public: isPublic } = membership
  const { id, name, full_name, description, visibility } = organization
  return (
    <ListRow visual={<UserAvatar id={id} size={40} />}>
      <div className={styles.title}>
        <strong>
          <QuietLink href={orgPath(name)}>{name}</QuietLink>
        </strong>
        {full_name ? (
          <span className={styles.muted}>
            <bdi>{full_name}</bdi>
          </span>
        ) : null}
        <Label variant={isOwner ? 'accent' : 'secondary'}>{isOwner ? 'Owner' : 'Member'}</Label>
      </div>
      {description ? (
        <p className={styles.muted}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <RowFacts>
        <span>{visibilityLabels[visibility].name} organization</span>
        <span>{isPublic ? 'Your membership is public' : 'Your membership is visible to members only'}</span>
      </RowFacts>
    </ListRow>
  )
}
