import type { ReactNode } from 'react'
import { ListBox, ListRow, RowTitle } from '@/app/_components/box'
import { CalendarIcon, KeyIcon, LinkIcon, LocationIcon, MailIcon, RepoIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLabels } from '@/app/_components/repository-name'
import { UserAvatar } from '@/app/_components/user-avatar'
import { VisitedPage } from '@/app/_components/visited-page'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { BlockControl } from '@/app/_features/blocks/block-control'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { mailto } from '@/app/_lib/mailto'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import { type RepositoryChoice, repositoriesQuery } from '@/app/_lib/queries/repositories'
import { caller, orNotFound } from '@/app/_lib/server'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import layout from './account.module.css'
import styles from './person-home.module.css'

interface PersonHomeProps {
  user: User
  /** ID of the signed-in person; undefined for anonymous visitors. */
  me: number | undefined
  choice: RepositoryChoice
}

/** Profile page of a person: their details, repositories, and latest activity. */
export async function PersonHome({ user, me, choice }: PersonHomeProps): Promise<ReactNode> {
  const username = user.login
  const isMe = user.id === me
  const scope = { owner: username }
  const { activity, orgs, repos } = await caller()
  const [repositories, latest, organizations, isBlocked, worked] = await Promise.all([
    orNotFound(repos.browse({ scope, ...choice })),
    orNotFound(activity.listOfUser({ username, 'only-performed-by': 'true', limit: 10 })),
    orNotFound(orgs.listOfPerson({ username, limit: 20 })),
    me === undefined || isMe ? undefined : isBlockedByViewer(username),
    isMe ? repos.browse({ scope: 'mine', limit: 10 }) : undefined,
  ])
  const elsewhere = (worked?.items ?? []).filter(({ owner }) => owner !== username)

  return (
    <div className={styles.personHome}>
      <VisitedPage kind="person" text={username} href={orgPath(username)} />
      {me === undefined ? null : (
        <LiveRefresh topics={[isMe ? { topic: 'account' } : { topic: 'person', id: user.id }]} />
      )}
      <PersonProfile
        user={user}
        isMe={isMe}
        organizations={organizations.items}
        block={isBlocked === undefined ? null : <BlockControl username={username} isBlocked={isBlocked} />}
      />
      <div className={layout.main}>
        <Hydrate entries={[[repositoriesQuery(scope, choice), repositories]]}>
          <RepositoryList
            scope={scope}
            isSignedIn={me !== undefined}
            emptyTitle={
              isMe && elsewhere.length === 0
                ? 'You have no repositories yet'
                : isMe
                  ? 'You don’t own any repositories yet'
                  : `${username} has no repositories that you can see`
            }
            emptyAction={
              isMe ? (
                <ButtonLink href="/-/new" variant="primary">
                  New repository
                </ButtonLink>
              ) : null
            }
            emptyMore={
              elsewhere.length > 0 ? (
                <div className={styles.elsewhere}>
                  <ListBox title="Repositories you work on" total={worked?.total ?? elsewhere.length}>
                    {elsewhere.map(repository => (
                      <ListRow key={repository.id} visual={<RepoIcon />}>
                        <RowTitle name={repository.full_name} href={repositoryPath(repository)}>
                          <RepositoryLabels repository={repository} />
                        </RowTitle>
                      </ListRow>
                    ))}
                  </ListBox>
                </div>
              ) : null
            }
          />
        </Hydrate>
        <section aria-labelledby="latest-activity">
          <h2 id="latest-activity" className={styles.activityTitle}>
            Latest activity
          </h2>
          <ActivityList items={latest.items} empty="No activity yet." />
        </section>
      </div>
    </div>
  )
}

/**
 * Returns whether the viewer blocks this person. Returns undefined if that cannot be determined, for example
 * because the viewer must first change their password.
 */
async function isBlockedByViewer(username: string): Promise<boolean | undefined> {
  try {
    await (await caller()).blocks.check({ username })
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND' ? false : undefined
  }
}

interface PersonProfileProps {
  user: User
  isMe: boolean
  /** The person's organizations that are visible to the viewer. */
  organizations: readonly Organization[]
  /** Control that blocks or unblocks the person; null if the viewer cannot block them. */
  block: ReactNode
}

/** Details from a person's profile, with their organizations and the actions available to the viewer. */
function PersonProfile({ user, isMe, organizations, block }: PersonProfileProps): ReactNode {
  return (
    <div className={styles.profile}>
      <UserAvatar id={user.id} size={160} />
      <div className={styles.about}>
        <h1 className={styles.name}>
          <bdi>{user.full_name || user.login}</bdi>
        </h1>
        {user.full_name ? <p className={styles.login}>{user.login}</p> : null}
        {user.description ? (
          <p className={styles.description}>
            <bdi>{user.description}</bdi>
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
              <a href={mailto(user.email)} className={styles.link}>
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

// A hidden email address is replaced by a no-reply address that starts with the user's ID.
const showsAddress = ({ id, email }: User): boolean => !email.startsWith(`${id}+`)
