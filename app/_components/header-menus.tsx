'use client'
import {
  BookIcon,
  DeviceDesktopIcon,
  GearIcon,
  MoonIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  PlusIcon,
  RepoIcon,
  SignOutIcon,
  SunIcon,
  TriangleDownIcon,
} from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { applyTheme, type Theme, type ThemeMode } from '@/app/_lib/theme'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import styles from './header-menus.module.css'
import { Menu, MenuAction, MenuChoice, MenuDivider, MenuGroup, MenuLink } from './menu'
import { Button, IconButton } from './primer'
import { UserAvatar } from './user-avatar'

interface AccountMenuProps {
  user: User
  organizations: readonly Organization[]
}

/** More than these are found on the page that lists them. */
const maxShown = 5

export function AccountMenu({ user, organizations }: AccountMenuProps): ReactNode {
  const signOut = useMutation({
    mutationFn: () => trpc.sessions.signOut.mutate(),
    // A whole new page, so that nothing this person has read stays in memory.
    onSuccess: () => window.location.assign('/'),
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <Menu
      label={`Account menu of ${user.login}`}
      button={props => (
        <Button {...props} variant="invisible" trailingVisual={TriangleDownIcon} className={styles.anchor}>
          <span className={styles.who}>
            <UserAvatar id={user.id} size={24} />
            <span className={styles.name}>{user.login}</span>
          </span>
        </Button>
      )}
    >
      <MenuLink href={`/${encodeURIComponent(user.login)}`} visual={<PersonIcon />}>
        Your profile
      </MenuLink>
      <MenuLink href="/-/orgs" visual={<OrganizationIcon />}>
        Your organizations
      </MenuLink>
      {organizations.slice(0, maxShown).map(({ id, name }) => (
        <MenuLink key={id} href={`/${encodeURIComponent(name)}`} visual={<UserAvatar id={id} size={16} />}>
          {name}
        </MenuLink>
      ))}
      <MenuDivider />
      <MenuLink href="/user/settings/keys" visual={<GearIcon />}>
        Settings
      </MenuLink>
      {user.is_admin ? (
        <MenuLink href="/-/admin/users" visual={<PeopleIcon />}>
          Site administration
        </MenuLink>
      ) : null}
      <MenuLink href="/api/docs" visual={<BookIcon />}>
        API documentation
      </MenuLink>
      <MenuDivider />
      <MenuAction visual={SignOutIcon} onSelect={() => signOut.mutate()}>
        Sign out
      </MenuAction>
    </Menu>
  )
}

/** What can be begun from every page. */
export function CreateMenu(): ReactNode {
  return (
    <Menu
      label="Create"
      button={props => <IconButton {...props} icon={PlusIcon} variant="invisible" unsafeDisableTooltip />}
    >
      <MenuLink href="/-/new" visual={<RepoIcon />}>
        New repository
      </MenuLink>
      <MenuLink href="/-/orgs/new" visual={<OrganizationIcon />}>
        New organization
      </MenuLink>
    </Menu>
  )
}

const looks: Record<ThemeMode, { label: string; Icon: typeof SunIcon }> = {
  auto: { label: 'Same as system', Icon: DeviceDesktopIcon },
  light: { label: 'Light', Icon: SunIcon },
  dark: { label: 'Dark', Icon: MoonIcon },
}

export function ThemeMenu({ initial }: { initial: Theme }): ReactNode {
  const [theme, setTheme] = useState(initial)

  const change = (part: Partial<Theme>): void => {
    const next = { ...theme, ...part }
    setTheme(next)
    applyTheme(next)
  }

  return (
    <Menu
      label="Appearance"
      button={props => (
        <IconButton {...props} icon={looks[theme.mode].Icon} variant="invisible" unsafeDisableTooltip />
      )}
    >
      <MenuGroup title="Appearance">
        {(Object.keys(looks) as ThemeMode[]).map(mode => (
          <MenuChoice
            key={mode}
            kind="radio"
            checked={theme.mode === mode}
            visual={looks[mode].Icon}
            onSelect={() => change({ mode })}
          >
            {looks[mode].label}
          </MenuChoice>
        ))}
      </MenuGroup>
      <MenuDivider />
      <MenuChoice
        kind="checkbox"
        checked={theme.highContrast}
        onSelect={() => change({ highContrast: !theme.highContrast })}
      >
        High contrast
      </MenuChoice>
    </Menu>
  )
}
