'use client'
import { GearIcon, OrganizationIcon, PeopleIcon, PulseIcon, RepoIcon } from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Tabs } from '@/app/_components/tabs'
import type { OrganizationOverview } from '@/server/orgs/schema'
import { orgAddress } from './org-address'

/** The parts of an organization that this viewer may see. */
export function OrgTabs({ overview }: { overview: OrganizationOverview }): ReactNode {
  const { organization, access, counts } = overview
  const current = partOf(usePathname())
  const isInside = access.isMember || access.mayManage
  const tabs = [
    { part: '', words: 'Repositories', Icon: RepoIcon, count: counts.repositories },
    { part: 'people', words: 'People', Icon: PeopleIcon, count: counts.members },
    ...(isInside ? [{ part: 'teams', words: 'Teams', Icon: OrganizationIcon, count: counts.teams }] : []),
    { part: 'activity', words: 'Activity', Icon: PulseIcon },
    ...(access.mayManage ? [{ part: 'settings', words: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <Tabs
      label="Organization"
      tabs={tabs.map(({ part, ...tab }) => ({
        ...tab,
        href: orgAddress(organization.name, part),
        current: part === current,
      }))}
    />
  )
}

/** "/-/orgs/acme/teams/core" is in "teams"; "/acme" is the first tab. */
function partOf(pathname: string): string {
  return pathname.startsWith('/-/orgs/') ? (pathname.split('/')[4] ?? '') : ''
}
