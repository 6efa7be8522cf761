import type { ReactNode } from 'react'
import { QuietLink, TextLink } from '@/app/_components/links'
import { UserAvatar } from '@/app/_components/user-avatar'
import { orgPath } from '@/app/_lib/paths'
import type { User } from '@/server/users/schema'
import styles from './account.module.css'

interface PeoplePreviewProps {
  org: string
  people: readonly User[]
  total: number
}

/** The first few members, beside what the organization owns. */
export function PeoplePreview({ org, people, total }: PeoplePreviewProps): ReactNode {
  return (
    <section aria-labelledby="people-preview">
      <h2 id="people-preview" className={styles.peopleTitle}>
        People
      </h2>
      {people.length === 0 ? (
        <p className={styles.none}>Nobody here shows their membership.</p>
      ) : (
        <>
          <ul className={styles.people}>
            {people.map(({ id, login }) => (
              <li key={id} className={styles.person}>
                <UserAvatar id={id} size={24} />
                <QuietLink href={`/${encodeURIComponent(login)}`}>{login}</QuietLink>
              </li>
            ))}
          </ul>
          {total > people.length ? (
            <TextLink href={orgPath(org, 'people')}>All {total.toLocaleString('en-US')} people</TextLink>
          ) : null}
        </>
      )}
    </section>
  )
}
