import type { ReactNode } from 'react'
import { ActivityList } from '@/app/_activity/activity-list'
import { ButtonLink } from '@/app/_components/button-link'
import { SearchBox } from '@/app/_components/search-box'
import { caller, orNotFound } from '@/app/_lib/server'
import type { User } from '@/server/users/schema'
import { OwnedRepositories } from './owned-repositories'
import styles from './person-home.module.css'
import { PersonProfile } from './person-profile'

interface PersonHomeProps {
  user: User
  isMe: boolean
  q: string
  page: number
}

/** A person's page: who they are, what they own, and what they did lately. */
export async function PersonHome({ user, isMe, q, page }: PersonHomeProps): Promise<ReactNode> {
  const username = user.login
  const { activity, repos } = await caller()
  const [repositories, latest] = await Promise.all([
    q === ''
      ? orNotFound(repos.listOf({ username, page }))
      : repos.search({ q, uid: user.id, exclusive: true, sort: 'alpha', page }),
    orNotFound(activity.ofUser({ username, 'only-performed-by': 'true', limit: 10 })),
  ])
  const hasNone = q === '' && repositories.total === 0

  return (
    <div className={styles.home}>
      <PersonProfile user={user} isMe={isMe} />
      <div className={styles.main}>
        {hasNone ? null : <SearchBox label="Search repositories" placeholder="Find a repository" q={q} />}
        <OwnedRepositories
          owner={username}
          found={repositories}
          q={q}
          emptyTitle={isMe ? 'You have no repositories yet' : `${username} has no repositories yet`}
          emptyAction={
            isMe ? (
              <ButtonLink href="/-/new" variant="primary">
                New repository
              </ButtonLink>
            ) : null
          }
        />
        <section aria-labelledby="latest-activity">
          <h2 id="latest-activity" className={styles.title}>
            Latest activity
          </h2>
          <ActivityList items={latest.items} empty="Nothing has happened yet." />
        </section>
      </div>
    </div>
  )
}
