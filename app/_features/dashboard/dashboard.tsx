import { cookies } from 'next/headers'
import type { ComponentProps, ReactNode } from 'react'
import { Label } from '@/app/_components/label'
import { ButtonLink, QuietLink, TextLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { PageHeading } from '@/app/_components/page-heading'
import { UserAvatar } from '@/app/_components/user-avatar'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { NeedsYou } from '@/app/_features/notifications/needs-you'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { type ListChoice, readListChoice } from '@/app/_lib/list-choice'
import { repositoryList } from '@/app/_lib/lists'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import { repositoriesQuery } from '@/app/_lib/queries/repositories'
import { caller, unreadNotifications } from '@/app/_lib/server'
import type { Viewer } from '@/app/_lib/viewer'
import type { Topic } from '@/server/live/schema'
import type { Membership } from '@/server/orgs/schema'
import type { BrowsedRepository } from '@/server/repos/lists/schema'
import styles from './dashboard.module.css'
import { FirstSteps } from './first-steps'
import { stepsCookie } from './hide-steps'
import { Offers } from './offers'
import { RecentLinks } from './recent-links'

interface DashboardProps {
  viewer: Viewer
  choice: ListChoice<typeof repositoryList>
}

/**
 * Home page of a signed-in person: what needs them, where they were, their repositories, pending transfers,
 * organizations, and latest activity.
 */
export async function Dashboard({ viewer, choice }: DashboardProps): Promise<ReactNode> {
  const { repos, orgs, activity } = await caller()
  const [found, memberships, latest, offers, notifications, steps] = await Promise.all([
    repos.browse({ scope: 'mine', ...choice }),
    orgs.listMemberships(),
    activity.listMine({ limit: 8 }),
    repos.transfer.listOffers(),
    unreadNotifications(),
    firstSteps(viewer.id),
  ])
  const make = (
    <ButtonLink href="/-/new" variant="primary">
      New repository
    </ButtonLink>
  )
  const isNew = found.total === 0 && !isNarrowed(choice)

  return (
    <div className={styles.columns}>
      <LiveRefresh topics={[{ topic: 'account' }, { topic: 'notifications' }, ...topicsOf(memberships)]} />
      <div className={styles.main}>
        {notifications ? (
          <div className={styles.needs}>
            <NeedsYou {...notifications} />
          </div>
        ) : null}
        {isNew ? null : <RecentLinks />}
        <PageHeading title="Your repositories" actions={isNew ? null : make}>
          Repositories that you own or that are shared with you.
        </PageHeading>
        <Offers {...offers} />
        {steps ? <FirstSteps {...steps} repository={ownRepository(found.items, viewer)} /> : null}
        {isNew && steps ? null : (
          <Hydrate entries={[[repositoriesQuery('mine', choice), found]]}>
            <RepositoryList scope="mine" isSignedIn emptyTitle="No repositories yet" emptyAction={make} />
          </Hydrate>
        )}
      </div>
      <div className={styles.side}>
        <Organizations memberships={memberships} />
        <section aria-labelledby="latest">
          <h2 id="latest" className={styles.heading}>
            Latest activity
          </h2>
          <ActivityList items={latest.items} empty="Activity in your repositories will appear here." />
        </section>
      </div>
    </div>
  )
}

const isNarrowed = (choice: DashboardProps['choice']): boolean =>
  JSON.stringify(choice) !== JSON.stringify(readListChoice(repositoryList, () => undefined))

/** Returns what a new person has done; undefined once everything is done or they have hidden it. */
async function firstSteps(
  accountId: number,
): Promise<Omit<ComponentProps<typeof FirstSteps>, 'repository'> | undefined> {
  if ((await cookies()).get(stepsCookie)?.value === String(accountId)) return undefined
  const { activity, instance } = await caller()
  const [done, { address }] = await Promise.all([activity.getFirstSteps(), instance.getSsh()])
  if (done.has_credential && done.has_repository && done.has_pushed) return undefined
  return { accountId, done, isSshOn: address !== null }
}

/** Returns the path of a repository that the person owns, one without content if possible. */
function ownRepository(items: readonly BrowsedRepository[], { login }: Viewer): string | undefined {
  const own = items.filter(({ owner }) => owner === login)
  const repository = own.find(({ empty }) => empty) ?? own[0]
  return repository && repositoryPath(repository)
}

// A page can follow only a limited number of topics. Changes in the viewer's other organizations appear when
// the page is loaded again.
const mostFollowed = 20

const topicsOf = (memberships: readonly Membership[]): Topic[] =>
  memberships.slice(0, mostFollowed).map(({ organization: { id } }) => ({ topic: 'organization', id }))

/** List of the organizations to which the viewer belongs. */
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
        <p className={styles.muted}>You’re not a member of any organizations yet.</p>
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
