import { LinkIcon, LocationIcon, MailIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Label } from '@/app/_components/label'
import { UserAvatar } from '@/app/_components/user-avatar'
import { visibilityLabels } from '@/app/_features/orgs/visibility-labels'
import type { Organization } from '@/server/orgs/schema'
import styles from './org-profile.module.css'

/** What an organization tells of itself. */
export function OrgProfile({ organization }: { organization: Organization }): ReactNode {
  const { id, name, full_name, description, location, website, email, visibility } = organization
  return (
    <div className={styles.profile}>
      <UserAvatar id={id} size={96} />
      <div className={styles.about}>
        <div className={styles.title}>
          <h1 className={styles.name} dir="auto">
            {full_name || name}
          </h1>
          <Label variant="secondary">{visibilityLabels[visibility].name}</Label>
        </div>
        {description ? (
          <p className={styles.description} dir="auto">
            {description}
          </p>
        ) : null}
        <ul className={styles.facts}>
          {location ? (
            <li>
              <LocationIcon /> {location}
            </li>
          ) : null}
          {website ? (
            <li>
              <LinkIcon />{' '}
              <a href={website} rel="noopener nofollow" className={styles.link}>
                {website}
              </a>
            </li>
          ) : null}
          {email ? (
            <li>
              <MailIcon />{' '}
              <a href={`mailto:${email}`} className={styles.link}>
                {email}
              </a>
            </li>
          ) : null}
        </ul>
      </div>
    </div>
  )
}
