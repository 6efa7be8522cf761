import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { SearchBox } from '@/app/_components/search-box'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { caller } from '@/app/_lib/server'
import type { User } from '@/server/users/schema'
import styles from './dashboard.module.css'
import { Organizations } from './organizations'

interface DashboardProps {
  user: User
  q: string
  page: number
}

/** Where somebody who is signed in starts: their repositories and organizations, and what happened last. */
export async function Dashboard({ user, q, page }: DashboardProps): Promise<ReactNode> {
  const { repos, orgs, activity } = await caller()
  const [found, memberships, latest] = await Promise.all([
    repos.search({ uid: user.id, q, sort: 'updated', order: 'desc', page, limit: 10 }),
    orgs.listMemberships(),
    activity.listMine({ limit: 8 }),
  ])
  const make = (
    <ButtonLink href="/-/new" variant="primary">
      New repository
    </ButtonLink>
  )
  const isAll = q === ''

  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <PageHeading title="Your repositories" actions={make}>
          What you own, and what is shared with you.
        </PageHeading>
        {isAll && found.total === 0 ? null : (
          <SearchBox label="Search your repositories" placeholder="Find a repository" q={q} />
        )}
        <RepositoryList
          {...found}
          emptyTitle={isAll ? 'No repositories yet' : `None of your repositories matches “${q}”`}
          emptyAction={isAll ? make : <ButtonLink href="/">Clear the search</ButtonLink>}
        />
      </div>
      <div className={styles.side}>
        <Organizations memberships={memberships} />
        <section aria-labelledby="latest">
          <h2 id="latest" className={styles.heading}>
            Latest activity
          </h2>
          <ActivityList
            items={latest.items}
            empty="What you and others do in your repositories appears here."
          />
        </section>
      </div>
    </div>
  )
}
