'use client'
import type { Icon } from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { SideNav } from './side-nav'

interface SettingsPage {
  /** The address from its last `settings` on, such as `settings/access`. */
  segment: string
  label: string
  Icon: Icon
}

interface SettingsMenuProps {
  label: string
  pages: readonly SettingsPage[]
  pathOf: (segment: string) => string
}

/** Navigation between the settings pages of a repository or an organization. */
export function SettingsMenu({ label, pages, pathOf }: SettingsMenuProps): ReactNode {
  const pathname = usePathname()
  const here = pathname.slice(pathname.lastIndexOf('/settings') + 1)
  const links = pages.map(({ segment, label, Icon }) => ({
    href: pathOf(segment),
    label,
    Icon,
    current: segment === here,
  }))
  return <SideNav label={label} groups={[{ links }]} />
}
