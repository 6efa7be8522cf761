'use client'
import { type ReactNode, useEffect, useState } from 'react'
import {
  DeviceDesktopIcon,
  MoonIcon,
  PlusIcon,
  SignOutIcon,
  SunIcon,
  TriangleDownIcon,
} from '@/app/_components/icons'
import { signOut } from '@/app/_lib/sign-out'
import { applyTheme, shownTheme, type Theme, type ThemeMode, whenRepainted } from '@/app/_lib/theme'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { User } from '@/server/users/schema'
import styles from './header-menus.module.css'
import { LightButton, LightIconButton } from './light-button'
import { Menu, MenuAction, MenuChoice, MenuDivider, MenuGroup } from './menu'
import { UserAvatar } from './user-avatar'

interface AccountMenuProps {
  user: Pick<User, 'id' | 'login'>
  /** Links of the menu, rendered by the server so that the icons do not add to every page's script. */
  pages: ReactNode
}

export function AccountMenu({ user, pages }: AccountMenuProps): ReactNode {
  return (
    <Menu
      label={`Account menu for ${user.login}`}
      button={props => (
        <LightButton
          {...props}
          variant="invisible"
          trailingVisual={<TriangleDownIcon />}
          className={styles.anchor}
        >
          <span className={styles.who}>
            <UserAvatar id={user.id} size={24} />
            <span className={styles.name}>{user.login}</span>
          </span>
        </LightButton>
      )}
    >
      {pages}
      <MenuDivider />
      <MenuAction visual={SignOutIcon} onSelect={() => void signOut()}>
        Sign out
      </MenuAction>
    </Menu>
  )
}

/** Menu with links to create things, such as a repository, from any page. */
export function CreateMenu({ children }: { children: ReactNode }): ReactNode {
  return (
    <Menu
      label="Create"
      button={props => (
        <LightIconButton {...props}>
          <PlusIcon />
        </LightIconButton>
      )}
    >
      {children}
    </Menu>
  )
}

const looks: Record<ThemeMode, { label: string; Icon: typeof SunIcon }> = {
  auto: { label: 'Same as system', Icon: DeviceDesktopIcon },
  light: { label: 'Light', Icon: SunIcon },
  dark: { label: 'Dark', Icon: MoonIcon },
}

export function ThemeMenu({ initial }: { initial: Theme }): ReactNode {
  // Choosing needs scripts, so the page's HTML does not contain the choices.
  const isHydrated = useHydrated()
  const [theme, setTheme] = useState(initial)
  useEffect(() => whenRepainted(() => setTheme(shownTheme())), [])
  const Visual = looks[theme.mode].Icon
  return (
    <Menu
      label="Appearance"
      button={props => (
        <LightIconButton {...props}>
          <Visual />
        </LightIconButton>
      )}
    >
      {isHydrated ? <Looks theme={theme} /> : null}
    </Menu>
  )
}

function Looks({ theme }: { theme: Theme }): ReactNode {
  const change = (part: Partial<Theme>): void => applyTheme({ ...theme, ...part })
  return (
    <>
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
    </>
  )
}
