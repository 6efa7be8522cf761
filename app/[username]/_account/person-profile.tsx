import { CalendarIcon, KeyIcon, LinkIcon, LocationIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/button-link'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { User } from '@/server/users/schema'
import styles from './person-profile.module.css'

/** What a person tells of themselves. */
export function PersonProfile({ user, isMe }: { user: User; isMe: boolean }): ReactNode {
  return (
    <div className={styles.profile}>
      <UserAvatar id={user.id} size={160} />
      <div className={styles.about}>
        <h1 className={styles.name}>{user.full_name || user.login}</h1>
        {user.full_name ? <p className={styles.login}>{user.login}</p> : null}
        {user.description ? <p className={styles.description}>{user.description}</p> : null}
        <ul className={styles.facts}>
          {user.location ? (
            <li>
              <LocationIcon /> {user.location}
            </li>
          ) : null}
          {user.website ? (
            <li>
              <LinkIcon />{' '}
              <a href={user.website} rel="noopener nofollow me" className={styles.link}>
                {user.website}
              </a>
            </li>
          ) : null}
          <li>
            <CalendarIcon /> Joined <RelativeDate value={user.created} />
          </li>
          <li>
            <KeyIcon />{' '}
            <a href={`/${user.login}.keys`} className={styles.link}>
              Public SSH keys
            </a>
          </li>
        </ul>
        {isMe ? <ButtonLink href="/user/settings/profile">Edit profile</ButtonLink> : null}
      </div>
    </div>
  )
}
