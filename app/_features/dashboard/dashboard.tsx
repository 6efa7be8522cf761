import type { ReactNode } from 'react'
import { Label } from '@/app/_components/label'
import { ButtonLink, QuietLink, TextLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { PageHeading } from '@/app/_components/page-heading'
import { SearchBox } from '@/app/_components/query-controls'
import { UserAvatar } from '@/app/_components/user-avatar'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { orgPath } from '@/app/_lib/paths'
import { caller } from '@/app/_lib/server'
import type { Topic } from '@/server/live/schema'
import type { Membership } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import styles from './dashboard.module.css'
import { Offers } from './offers'

interface DashboardProps {
  user: User
  q: string
  page: number
}

/** Where somebody who is signed in starts: their repositories and organizations, and what happened last. */
export async function Dashboard({ user, q, page }: DashboardProps): Promise<ReactNode> {
  const { repos, orgs, activity } = await caller()
  const [found, memberships, latest, offers] = await Promise.all([
    repos.search({ uid: user.id, q, sort: 'updated', order: 'desc', page, limit: 10 }),
    orgs.listMemberships(),
    activity.listMine({ limit: 8 }),
    repos.transfer.listOffers(),
  ])
  const make = (
    <ButtonLink href="/-/new" variant="primary">
      New repository
    </ButtonLink>
  )
  const isAll = q === ''

  return (
    <div className={styles.columns}>
      <LiveRefresh topics={[{ topic: 'account' }, ...topicsOf(memberships)]} />
      <div className={styles.main}>
        <PageHeading title="Your repositories" actions={make}>
          What you own, and what is shared with you.
        </PageHeading>
        <Offers {...offers} />
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

// Whoever is in more of them than one stream can follow sees the others change with the next page.
const mostFollowed = 20

const topicsOf = (memberships: readonly Membership[]): Topic[] =>
  memberships.slice(0, mostFollowed).map(({ organization: { id } }) => ({ topic: 'organization', id }))

/** The organizations somebody belongs to. */
function Organizations({ memberships }: { memberships: readonly Membership[] }): ReactNode {
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
          {memberships.map(({ organization, is_owner: isOwner }) => (
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
