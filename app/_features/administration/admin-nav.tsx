'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import {
  CodeSquareIcon,
  HistoryIcon,
  OrganizationIcon,
  PeopleIcon,
  PulseIcon,
  RepoIcon,
  ServerIcon,
  ShieldCheckIcon,
  WebhookIcon,
} from '@/app/_components/icons'
import { type NavPage, SideNav } from '@/app/_components/side-nav'

const groups: { title: string; pages: NavPage[] }[] = [
  {
    title: 'Accounts and repositories',
    pages: [
      { href: '/-/admin/users', label: 'Users', Icon: PeopleIcon },
      { href: '/-/admin/orgs', label: 'Organizations', Icon: OrganizationIcon },
      { href: '/-/admin/repos', label: 'Repositories', Icon: RepoIcon },
    ],
  },
  {
    title: 'Automation',
    pages: [
      { href: '/-/admin/hooks', label: 'Webhooks', Icon: WebhookIcon },
      { href: '/-/admin/actions/runners', label: 'Runners', Icon: ServerIcon },
      { href: '/-/admin/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
      { href: '/-/admin/actions/permissions', label: 'Job tokens', Icon: ShieldCheckIcon },
    ],
  },
  {
    title: 'Operations',
    pages: [
      { href: '/-/admin/health', label: 'Health', Icon: PulseIcon },
      { href: '/-/admin/events', label: 'Events', Icon: HistoryIcon },
    ],
  },
]

/** All pages of the site administration, in the order of the navigation. */
export const adminPages: readonly NavPage[] = groups.flatMap(({ pages }) => pages)

export function AdminNav(): ReactNode {
  const pathname = usePathname()
  return (
    <SideNav
      label="Site administration"
      groups={groups.map(({ title, pages }) => ({
        title,
        links: pages.map(page => ({ ...page, current: pathname.startsWith(page.href) })),
      }))}
    />
  )
}
