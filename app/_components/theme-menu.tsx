'use client'
import { DeviceDesktopIcon, MoonIcon, SunIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { applyTheme, schemesOf, type Theme, type ThemeMode } from '@/app/_lib/theme'
import { ActionList, ActionMenu, IconButton, useTheme } from './primer'

const looks: Record<ThemeMode, { words: string; Icon: typeof SunIcon }> = {
  auto: { words: 'Same as system', Icon: DeviceDesktopIcon },
  light: { words: 'Light', Icon: SunIcon },
  dark: { words: 'Dark', Icon: MoonIcon },
}

export function ThemeMenu({ initial }: { initial: Theme }): ReactNode {
  const [theme, setTheme] = useState(initial)
  const { setColorMode, setDayScheme, setNightScheme } = useTheme()

  const change = (part: Partial<Theme>): void => {
    const next = { ...theme, ...part }
    const { day, night } = schemesOf(next)
    setTheme(next)
    applyTheme(next)
    setColorMode(next.mode)
    setDayScheme(day)
    setNightScheme(night)
  }

  return (
    <ActionMenu>
      <ActionMenu.Anchor>
        <IconButton icon={looks[theme.mode].Icon} aria-label="Appearance" variant="invisible" />
      </ActionMenu.Anchor>
      <ActionMenu.Overlay width="small" align="end">
        <ActionList>
          <ActionList.Group selectionVariant="single">
            <ActionList.GroupHeading>Appearance</ActionList.GroupHeading>
            {(Object.keys(looks) as ThemeMode[]).map(mode => {
              const { words, Icon } = looks[mode]
              return (
                <ActionList.Item key={mode} selected={theme.mode === mode} onSelect={() => change({ mode })}>
                  <ActionList.LeadingVisual>
                    <Icon />
                  </ActionList.LeadingVisual>
                  {words}
                </ActionList.Item>
              )
            })}
          </ActionList.Group>
          <ActionList.Divider />
          <ActionList.Group selectionVariant="multiple">
            <ActionList.Item
              selected={theme.highContrast}
              onSelect={() => change({ highContrast: !theme.highContrast })}
            >
              High contrast
            </ActionList.Item>
          </ActionList.Group>
        </ActionList>
      </ActionMenu.Overlay>
    </ActionMenu>
  )
}
