import {
  BlockedIcon,
  DeviceDesktopIcon,
  type Icon,
  KeyIcon,
  LockIcon,
  PeopleIcon,
  PersonIcon,
  ShieldLockIcon,
} from '@primer/octicons-react'

interface SettingsPage {
  href: string
  words: string
  icon: Icon
}

export const accountPages: SettingsPage[] = [
  { href: '/user/settings/profile', words: 'Profile', icon: PersonIcon },
  { href: '/user/settings/password', words: 'Password', icon: LockIcon },
  { href: '/user/settings/sessions', words: 'Sessions', icon: DeviceDesktopIcon },
  { href: '/user/settings/blocked', words: 'Blocked users', icon: BlockedIcon },
]

export const accessPages: SettingsPage[] = [
  { href: '/user/settings/keys', words: 'SSH keys', icon: KeyIcon },
  { href: '/user/settings/tokens', words: 'Access tokens', icon: ShieldLockIcon },
]

export const adminPages: SettingsPage[] = [{ href: '/-/admin/users', words: 'Users', icon: PeopleIcon }]

export const allPages = [...accountPages, ...accessPages, ...adminPages]
