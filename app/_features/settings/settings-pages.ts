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
  Icon: Icon
}

export const accountPages: SettingsPage[] = [
  { href: '/user/settings/profile', words: 'Profile', Icon: PersonIcon },
  { href: '/user/settings/password', words: 'Password', Icon: LockIcon },
  { href: '/user/settings/sessions', words: 'Sessions', Icon: DeviceDesktopIcon },
  { href: '/user/settings/blocked', words: 'Blocked users', Icon: BlockedIcon },
]

export const accessPages: SettingsPage[] = [
  { href: '/user/settings/keys', words: 'SSH keys', Icon: KeyIcon },
  { href: '/user/settings/tokens', words: 'Access tokens', Icon: ShieldLockIcon },
]

export const adminPages: SettingsPage[] = [{ href: '/-/admin/users', words: 'Users', Icon: PeopleIcon }]

export const allPages = [...accountPages, ...accessPages, ...adminPages]
