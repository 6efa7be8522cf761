import { CalendarIcon, KeyIcon, LinkIcon, LocationIcon, MailIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import styles from './person-profile.module.css'

interface PersonProfileProps {
  user: User
  isMe: boolean
  /** Those the viewer may know of. */
  organizations: readonly Organization[]
  /** For blocking them, where the viewer may. */
  block: ReactNode
}

/** What a person tells of themselves. */
export function PersonProfile({ user, isMe, organizations, block }: PersonProfileProps): ReactNode {
  return (
    <div className={styles.profile}>
      <UserAvatar id={user.id} size={160} />
      <div className={styles.about}>
        <h1 className={styles.name} dir="auto">
          {user.full_name || user.login}
        </h1>
        {user.full_name ? <p className={styles.login}>{user.login}</p> : null}
        {user.description ? (
          <p className={styles.description} dir="auto">
            {user.description}
          </p>
        ) : null}
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
          {showsAddress(user) ? (
            <li>
              <MailIcon />{' '}
              <a href={`mailto:${user.email}`} className={styles.link}>
                {user.email}
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
        {organizations.length > 0 ? (
          <section aria-labelledby="organizations">
            <h2 id="organizations" className={styles.subtitle}>
              Organizations
            </h2>
            <ul className={styles.organizations}>
              {organizations.map(({ id, name }) => (
                <li key={id}>
                  <UserAvatar id={id} size={20} /> <QuietLink href={`/${name}`}>{name}</QuietLink>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {block}
        {isMe ? <ButtonLink href="/user/settings/profile">Edit profile</ButtonLink> : null}
      </div>
    </div>
  )
}

// Whoever hides the address is shown with one that nobody reads, made of their id.
const showsAddress = ({ id, email }: User): boolean => !email.startsWith(`${id}+`)
