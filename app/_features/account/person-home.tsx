import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { SearchBox } from '@/app/_components/search-box'
import { ActivityList } from '@/app/_features/activity/activity-list'
import type { Order } from '@/app/_features/repos/sort-menu'
import { SortMenu } from '@/app/_features/repos/sort-menu'
import { caller, orNotFound } from '@/app/_lib/server'
import type { User } from '@/server/users/schema'
import styles from './account.module.css'
import { BlockControl } from './block-control'
import { OwnedRepositories } from './owned-repositories'
import { PersonProfile } from './person-profile'

interface PersonHomeProps {
  user: User
  /** The id of who is signed in. */
  me: number | undefined
  q: string
  order: Order
  page: number
}

/** A person's page: who they are, what they own, and what they did lately. */
export async function PersonHome({ user, me, q, order, page }: PersonHomeProps): Promise<ReactNode> {
  const username = user.login
  const isMe = user.id === me
  const { activity, orgs, repos } = await caller()
  const [repositories, latest, organizations, isBlocked] = await Promise.all([
    repos.search({ q, uid: user.id, exclusive: true, sort: order.sort, order: order.order, page }),
    orNotFound(activity.listOfUser({ username, 'only-performed-by': 'true', limit: 10 })),
    orNotFound(orgs.listOfPerson({ username, limit: 20 })),
    me === undefined || isMe ? undefined : isBlockedByViewer(username),
  ])
  const hasNone = q === '' && repositories.total === 0

  return (
    <div className={styles.personHome}>
      <PersonProfile
        user={user}
        isMe={isMe}
        organizations={organizations.items}
        block={isBlocked === undefined ? null : <BlockControl username={username} isBlocked={isBlocked} />}
      />
      <div className={styles.main}>
        {hasNone ? null : (
          <div className={styles.tools}>
            <SearchBox label="Search repositories" placeholder="Find a repository" q={q} />
            <SortMenu sort={order.sort} />
          </div>
        )}
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
          <h2 id="latest-activity" className={styles.activityTitle}>
            Latest activity
          </h2>
          <ActivityList items={latest.items} empty="Nothing has happened yet." />
        </section>
      </div>
    </div>
  )
}

/** Undefined for somebody who may not block anybody yet, as they must change their password first. */
async function isBlockedByViewer(username: string): Promise<boolean | undefined> {
  try {
    await (await caller()).blocks.check({ username })
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND' ? false : undefined
  }
}
