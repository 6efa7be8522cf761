'use client'
import {
  BlockedIcon,
  CodeSquareIcon,
  DeviceDesktopIcon,
  HistoryIcon,
  type Icon,
  KeyAsteriskIcon,
  KeyIcon,
  LockIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  PulseIcon,
  RepoIcon,
  ServerIcon,
  ShieldLockIcon,
  WebhookIcon,
} from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { SideNav } from '@/app/_components/side-nav'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { User } from '@/server/users/schema'
import styles from './settings.module.css'

interface SettingsNavProps {
  user: User
  /** The password must be changed before any other page opens. */
  locked: boolean
}

export function SettingsNav({ user, locked }: SettingsNavProps): ReactNode {
  const pathname = usePathname()
  const here = allPages.find(page => pathname.startsWith(page.href))
  const shown = settingsPages(user.is_admin)
    .map(group => (locked ? { ...group, pages: group.pages.filter(page => page === here) } : group))
    .filter(({ pages }) => pages.length > 0)
  const groups = shown.map(({ title, pages }) => ({
    title,
    links: pages.map(page => ({ ...page, current: pathname.startsWith(page.href) })),
  }))

  return (
    <div>
      <div className={styles.who}>
        <UserAvatar id={user.id} size={40} />
        <div className={styles.names}>
          <p className={styles.name} dir="auto">
            {user.full_name || user.login}
          </p>
          <p className={styles.hint}>Your account</p>
        </div>
      </div>
      <SideNav label="Settings" groups={groups} />
    </div>
  )
}

interface SettingsPage {
  href: string
  label: string
  Icon: Icon
}

const accountPages: SettingsPage[] = [
  { href: '/user/settings/profile', label: 'Profile', Icon: PersonIcon },
  { href: '/user/settings/password', label: 'Password', Icon: LockIcon },
  { href: '/user/settings/sessions', label: 'Sessions', Icon: DeviceDesktopIcon },
  { href: '/user/settings/blocked', label: 'Blocked users', Icon: BlockedIcon },
]

const accessPages: SettingsPage[] = [
  { href: '/user/settings/keys', label: 'SSH keys', Icon: KeyIcon },
  { href: '/user/settings/tokens', label: 'Access tokens', Icon: ShieldLockIcon },
  { href: '/user/settings/hooks', label: 'Webhooks', Icon: WebhookIcon },
]

const actionsPages: SettingsPage[] = [
  { href: '/user/settings/actions/runners', label: 'Runners', Icon: ServerIcon },
  { href: '/user/settings/actions/secrets', label: 'Secrets', Icon: KeyAsteriskIcon },
  { href: '/user/settings/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
]

const adminPages: SettingsPage[] = [
  { href: '/-/admin/users', label: 'Users', Icon: PeopleIcon },
  { href: '/-/admin/orgs', label: 'Organizations', Icon: OrganizationIcon },
  { href: '/-/admin/repos', label: 'Repositories', Icon: RepoIcon },
  { href: '/-/admin/hooks', label: 'Webhooks', Icon: WebhookIcon },
  { href: '/-/admin/actions/runners', label: 'Runners', Icon: ServerIcon },
  { href: '/-/admin/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
  { href: '/-/admin/health', label: 'Health', Icon: PulseIcon },
  { href: '/-/admin/events', label: 'Events', Icon: HistoryIcon },
]

const allPages = [...accountPages, ...accessPages, ...actionsPages, ...adminPages]

/** The settings pages of an account, an administrator's too, group by group. */
export const settingsPages = (isAdmin: boolean): { title: string; pages: SettingsPage[] }[] => [
  { title: 'Account', pages: accountPages },
  { title: 'Access', pages: accessPages },
  { title: 'Actions', pages: actionsPages },
  ...(isAdmin ? [{ title: 'Site administration', pages: adminPages }] : []),
]
