import type { ReactNode } from 'react'
import { Label } from '@/app/_components/label'
import { QuietLink, TextLink } from '@/app/_components/links'
import { UserAvatar } from '@/app/_components/user-avatar'
import { orgPath } from '@/app/_lib/paths'
import type { Membership } from '@/server/orgs/schema'
import styles from './dashboard.module.css'

/** The organizations somebody belongs to. */
export function Organizations({ memberships }: { memberships: readonly Membership[] }): ReactNode {
  return (
    <section aria-labelledby="organizations">
      <div className={styles.head}>
        <h2 id="organizations" className={styles.heading}>
          Organizations
        </h2>
        <TextLink href="/-/orgs/new">New organization</TextLink>
      </div>
      {memberships.length === 0 ? (
        <p className={styles.muted}>You are in no organization yet.</p>
      ) : (
        <ul className={styles.orgs}>
          {memberships.map(({ organization, isOwner }) => (
            <li key={organization.id} className={styles.org}>
              <UserAvatar id={organization.id} size={20} />
              <span className={styles.name}>
                <QuietLink href={orgPath(organization.name)}>{organization.name}</QuietLink>
              </span>
              {isOwner ? <Label variant="secondary">Owner</Label> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
