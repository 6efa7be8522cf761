'use client'
import { DeviceDesktopIcon, MoonIcon, SunIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { applyTheme, type Theme, type ThemeMode } from '@/app/_lib/theme'
import { Menu, MenuChoice, MenuDivider, MenuGroup } from './menu'
import { IconButton } from './primer'

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
