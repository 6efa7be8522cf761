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
  label: string
  Icon: Icon
}

export const accountPages: SettingsPage[] = [
  { href: '/user/settings/profile', label: 'Profile', Icon: PersonIcon },
  { href: '/user/settings/password', label: 'Password', Icon: LockIcon },
  { href: '/user/settings/sessions', label: 'Sessions', Icon: DeviceDesktopIcon },
  { href: '/user/settings/blocked', label: 'Blocked users', Icon: BlockedIcon },
]

export const accessPages: SettingsPage[] = [
  { href: '/user/settings/keys', label: 'SSH keys', Icon: KeyIcon },
  { href: '/user/settings/tokens', label: 'Access tokens', Icon: ShieldLockIcon },
]

export const adminPages: SettingsPage[] = [{ href: '/-/admin/users', label: 'Users', Icon: PeopleIcon }]

export const allPages = [...accountPages, ...accessPages, ...adminPages]
