'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import {
  BlockedIcon,
  BookmarkIcon,
  CodeSquareIcon,
  GearIcon,
  KeyAsteriskIcon,
  OrganizationIcon,
  PeopleIcon,
  PulseIcon,
  RepoIcon,
  ServerIcon,
  ShieldCheckIcon,
  WebhookIcon,
} from '@/app/_components/icons'
import { SettingsMenu } from '@/app/_components/side-nav'
import { Tabs } from '@/app/_components/tabs'
import { orgPath } from '@/app/_lib/paths'
import type { OrganizationOverview } from '@/server/orgs/schema'

/** Tabs for the parts of an organization that the viewer can see. */
export function OrgTabs({ overview }: { overview: OrganizationOverview }): ReactNode {
  const { organization, access, counts } = overview
  const current = partOf(usePathname())
  const isInside = access.is_member || access.may_manage
  const tabs = [
    { segment: '', label: 'Repositories', Icon: RepoIcon, count: counts.repositories },
    { segment: 'people', label: 'People', Icon: PeopleIcon, count: counts.members },
    ...(isInside ? [{ segment: 'teams', label: 'Teams', Icon: OrganizationIcon, count: counts.teams }] : []),
    { segment: 'activity', label: 'Activity', Icon: PulseIcon },
    ...(access.may_manage ? [{ segment: 'settings', label: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <Tabs
      label="Organization"
      tabs={tabs.map(({ segment, ...tab }) => ({
        ...tab,
        href: orgPath(organization.name, segment),
        current: segment === current,
      }))}
    />
  )
}

/** Returns the tab segment of a path: "teams" for "/-/orgs/acme/teams/core", and "" for "/acme". */
function partOf(pathname: string): string {
  return pathname.startsWith('/-/orgs/') ? (pathname.split('/')[4] ?? '') : ''
}

/** All settings pages of an organization, in the order of the menu. */
export const orgSettingsPages = [
  { segment: 'settings', label: 'General', Icon: OrganizationIcon },
  { segment: 'settings/hooks', label: 'Webhooks', Icon: WebhookIcon },
  { segment: 'settings/labels', label: 'Labels', Icon: BookmarkIcon },
  { segment: 'settings/actions/runners', label: 'Runners', Icon: ServerIcon },
  { segment: 'settings/actions/secrets', label: 'Secrets', Icon: KeyAsteriskIcon },
  { segment: 'settings/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
  { segment: 'settings/actions/permissions', label: 'Job tokens', Icon: ShieldCheckIcon },
  { segment: 'settings/blocked', label: 'Blocked users', Icon: BlockedIcon },
]

export function OrgSettingsNav({ org }: { org: string }): ReactNode {
  return (
    <SettingsMenu
      label="Organization settings"
      pages={orgSettingsPages}
      pathOf={segment => orgPath(org, segment)}
    />
  )
}
