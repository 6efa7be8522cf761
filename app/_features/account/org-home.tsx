import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { SearchBox } from '@/app/_components/search-box'
import type { Order } from '@/app/_features/repos/sort-menu'
import { SortMenu } from '@/app/_features/repos/sort-menu'
import { caller, orNotFound } from '@/app/_lib/server'
import type { OrganizationOverview } from '@/server/orgs/schema'
import styles from './account.module.css'
import { OrgProfile } from './org-profile'
import { OwnedRepositories } from './owned-repositories'
import { PeoplePreview } from './people-preview'

interface OrgHomeProps {
  overview: OrganizationOverview
  q: string
  order: Order
  page: number
}

/** The first tab of an organization: what it is, what it owns, who is in it. */
export async function OrgHome({ overview, q, order, page }: OrgHomeProps): Promise<ReactNode> {
  const { organization, access, counts } = overview
  const org = organization.name
  const { orgs, repos } = await caller()
  const [repositories, members] = await Promise.all([
    repos.search({ q, uid: organization.id, exclusive: true, sort: order.sort, order: order.order, page }),
    orNotFound(orgs.listPeople({ org, limit: 12 })),
  ])
  const newRepository = access.mayCreateRepository ? (
    <ButtonLink href={`/-/new?owner=${encodeURIComponent(org)}`} variant="primary">
      New repository
    </ButtonLink>
  ) : null

  return (
    <>
      <OrgProfile organization={organization} />
      <div className={styles.orgHome}>
        <div className={styles.main}>
          {counts.repositories > 0 ? (
            <div className={styles.tools}>
              <SearchBox label="Search repositories" placeholder="Find a repository" q={q} />
              <SortMenu sort={order.sort} />
              {newRepository}
            </div>
          ) : null}
          <OwnedRepositories
            owner={org}
            found={repositories}
            q={q}
            emptyTitle={`${org} has no repositories yet`}
            emptyAction={newRepository}
          />
        </div>
        <PeoplePreview org={org} people={members.items} total={members.total} />
      </div>
    </>
  )
}
