'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import {
  BlockedIcon,
  CodeSquareIcon,
  DeviceDesktopIcon,
  KeyAsteriskIcon,
  KeyIcon,
  LockIcon,
  PersonIcon,
  ServerIcon,
  ShieldCheckIcon,
  ShieldLockIcon,
  WebhookIcon,
} from '@/app/_components/icons'
import { type NavPage, SideNav } from '@/app/_components/side-nav'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { User } from '@/server/users/schema'
import styles from './settings.module.css'

interface SettingsNavProps {
  user: Pick<User, 'id' | 'login' | 'full_name'>
  /** Whether the user must first change their password. The navigation then lists only the current page. */
  locked: boolean
}

export function SettingsNav({ user, locked }: SettingsNavProps): ReactNode {
  const pathname = usePathname()
  const links = groups
    .map(({ title, pages }) => ({
      title,
      links: pages.map(page => ({ ...page, current: pathname.startsWith(page.href) })),
    }))
    .map(group => (locked ? { ...group, links: group.links.filter(({ current }) => current) } : group))
    .filter(({ links }) => links.length > 0)

  return (
    <div>
      <div className={styles.who}>
        <UserAvatar id={user.id} size={40} />
        <div className={styles.names}>
          <p className={styles.name}>
            <bdi>{user.full_name || user.login}</bdi>
          </p>
          <p className={styles.hint}>Your account</p>
        </div>
      </div>
      <SideNav label="Settings" groups={links} />
    </div>
  )
}

const accountPages: NavPage[] = [
  { href: '/user/settings/profile', label: 'Profile', Icon: PersonIcon },
  { href: '/user/settings/password', label: 'Password', Icon: LockIcon },
  { href: '/user/settings/sessions', label: 'Sessions', Icon: DeviceDesktopIcon },
  { href: '/user/settings/blocked', label: 'Blocked users', Icon: BlockedIcon },
]

const accessPages: NavPage[] = [
  { href: '/user/settings/keys', label: 'SSH keys', Icon: KeyIcon },
  { href: '/user/settings/tokens', label: 'Access tokens', Icon: ShieldLockIcon },
  { href: '/user/settings/hooks', label: 'Webhooks', Icon: WebhookIcon },
]

const actionsPages: NavPage[] = [
  { href: '/user/settings/actions/runners', label: 'Runners', Icon: ServerIcon },
  { href: '/user/settings/actions/secrets', label: 'Secrets', Icon: KeyAsteriskIcon },
  { href: '/user/settings/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
  { href: '/user/settings/actions/permissions', label: 'Job tokens', Icon: ShieldCheckIcon },
]

const groups = [
  { title: 'Account', pages: accountPages },
  { title: 'Access', pages: accessPages },
  { title: 'Actions', pages: actionsPages },
]

/** All settings pages of an account, in the order of the navigation. */
export const settingsPages: readonly NavPage[] = groups.flatMap(({ pages }) => pages)
