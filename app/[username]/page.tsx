import { CalendarIcon, KeyIcon, LinkIcon, LocationIcon } from '@primer/octicons-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/button-link'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { requireSetUp } from '@/app/_lib/gates'
import { caller, currentSession, orNotFound } from '@/app/_lib/server'
import styles from './profile.module.css'

interface ProfilePageProps {
  params: Promise<{ username: string }>
}

export async function generateMetadata({ params }: ProfilePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).username) }
}

export default async function ProfilePage({ params }: ProfilePageProps): Promise<ReactNode> {
  await requireSetUp()
  const user = await orNotFound((await caller()).users.get({ username: (await params).username }))
  const isMe = (await currentSession())?.user.id === user.id

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
