import type { ReactNode } from 'react'
import { LinkIcon, LocationIcon, MailIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { ButtonLink, QuietLink, TextLink } from '@/app/_components/links'
import { UserAvatar } from '@/app/_components/user-avatar'
import { visibilityLabels } from '@/app/_features/orgs/visibility'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { mailto } from '@/app/_lib/mailto'
import { orgPath } from '@/app/_lib/paths'
import { type RepositoryChoice, repositoriesQuery } from '@/app/_lib/queries/repositories'
import { caller, orNotFound } from '@/app/_lib/server'
import type { Organization, OrganizationOverview } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import layout from './account.module.css'
import styles from './org-home.module.css'

interface OrgHomeProps {
  overview: OrganizationOverview
  isSignedIn: boolean
  choice: RepositoryChoice
}

/** Overview page of an organization: its profile, its repositories, and some of its members. */
export async function OrgHome({ overview, isSignedIn, choice }: OrgHomeProps): Promise<ReactNode> {
  const { organization, access, counts } = overview
  const org = organization.name
  const scope = { owner: org }
  const { orgs, repos } = await caller()
  const [repositories, members] = await Promise.all([
    orNotFound(repos.browse({ scope, ...choice })),
    orNotFound(orgs.members.listPeople({ org, limit: 12 })),
  ])
  const newRepository = access.may_create_repository ? (
    <ButtonLink href={`/-/new?owner=${encodeURIComponent(org)}`} variant="primary">
      New repository
    </ButtonLink>
  ) : null

  return (
    <>
      <OrgProfile organization={organization} />
      <div className={styles.orgHome}>
        <div className={layout.main}>
          {counts.repositories > 0 && newRepository ? (
            <div className={layout.make}>{newRepository}</div>
          ) : null}
          <Hydrate entries={[[repositoriesQuery(scope, choice), repositories]]}>
            <RepositoryList
              scope={scope}
              isSignedIn={isSignedIn}
              emptyTitle={`${org} has no repositories yet`}
              emptyAction={newRepository}
            />
          </Hydrate>
        </div>
        <PeoplePreview org={org} people={members.items} total={members.total} />
      </div>
    </>
  )
}

/** Details from an organization's profile, such as its description, location, and website. */
function OrgProfile({ organization }: { organization: Organization }): ReactNode {
  const { id, name, full_name, description, location, website, email, visibility } = organization
  return (
    <div className={styles.profile}>
      <UserAvatar id={id} size={96} />
      <div className={styles.about}>
        <div className={styles.title}>
          <h1 className={styles.name}>
            <bdi>{full_name || name}</bdi>
          </h1>
          <Label variant="secondary">{visibilityLabels[visibility].name}</Label>
        </div>
        {description ? (
          <p className={styles.description}>
            <bdi>{description}</bdi>
          </p>
        ) : null}
        <ul className={styles.facts}>
          {location ? (
            <li>
              <LocationIcon /> {location}
            </li>
          ) : null}
          {website ? (
            <li>
              <LinkIcon />{' '}
              <a href={website} rel="noopener nofollow" className={styles.link}>
                {website}
              </a>
            </li>
          ) : null}
          {email ? (
            <li>
              <MailIcon />{' '}
              <a href={mailto(email)} className={styles.link}>
                {email}
              </a>
            </li>
          ) : null}
        </ul>
      </div>
    </div>
  )
}

interface PeoplePreviewProps {
  org: string
  people: readonly User[]
  total: number
}

/** Section with the first few members of an organization, and a link to all members if there are more. */
function PeoplePreview({ org, people, total }: PeoplePreviewProps): ReactNode {
  return (
    <section aria-labelledby="people-preview">
      <h2 id="people-preview" className={styles.peopleTitle}>
        People
      </h2>
      {people.length === 0 ? (
        <p className={styles.none}>No public members.</p>
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
            <TextLink href={orgPath(org, 'people')}>View all {total.toLocaleString('en-US')} people</TextLink>
          ) : null}
        </>
      )}
    </section>
  )
}
