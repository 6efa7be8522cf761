'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { OrganizationIcon } from '@/app/_components/icons'
import { PageHeading } from '@/app/_components/page-heading'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { WorkList } from '@/app/_components/work-list'
import { counted } from '@/app/_lib/format'
import { siteOrgList } from '@/app/_lib/lists'
import { orgPath } from '@/app/_lib/paths'
import { siteOrgsQuery } from '@/app/_lib/queries/administration'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { BrowsedOrganization } from '@/server/orgs/schema'

/** List of all organizations on the site, for administrators. */
export function OrgsScreen(): ReactNode {
  const list = useListChoice(siteOrgList)
  const rows = useListRows(siteOrgsQuery(list.choice))
  return (
    <>
      <PageHeading title="Organizations">All organizations on this site, including private ones.</PageHeading>
      <WorkList<BrowsedOrganization>
        title="Organizations"
        noun="organization"
        icon={OrganizationIcon}
        list={list}
        rows={rows}
        idOf={org => org.id}
        nameOf={org => org.name}
        empty={<EmptyState icon={OrganizationIcon} title="No organizations" />}
        row={org => <OrgRow key={org.id} org={org} />}
      />
    </>
  )
}

const visibilityLabels = { public: 'Public', limited: 'Limited', private: 'Private' }

function OrgRow({ org }: { org: BrowsedOrganization }): ReactNode {
  return (
    <ListRow visual={<UserAvatar id={org.id} size={32} />}>
      <RowTitle name={org.name} href={orgPath(org.name)}>
        {org.full_name ? <bdi>{org.full_name}</bdi> : null}
        <Label variant="secondary">{visibilityLabels[org.visibility]}</Label>
      </RowTitle>
      <RowFacts>
        <span>{counted(org.members, 'member', 'members')}</span>
        <span>{counted(org.teams, 'team', 'teams')}</span>
        <span>{counted(org.repositories, 'repository', 'repositories')}</span>
        <span>
          Created <RelativeDate value={org.created} />
        </span>
      </RowFacts>
    </ListRow>
  )
}
