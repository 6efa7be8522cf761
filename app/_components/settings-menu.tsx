'use client'
import type { Icon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { NavList } from './primer'

interface SettingsPage {
  /** The address from its last `settings` on, such as `settings/access`. */
  part: string
  words: string
  Icon: Icon
}

interface SettingsMenuProps {
  label: string
  pages: readonly SettingsPage[]
  addressOf: (part: string) => string
}

/** Navigation between the settings pages of a repository or an organization. */
export function SettingsMenu({ label, pages, addressOf }: SettingsMenuProps): ReactNode {
  const pathname = usePathname()
  const here = pathname.slice(pathname.lastIndexOf('/settings') + 1)
  return (
    <NavList aria-label={label}>
      {pages.map(({ part, words, Icon: Visual }) => (
        <NavList.Item
          key={part}
          as={NextLink}
          href={addressOf(part)}
          prefetch={false}
          aria-current={part === here ? 'page' : undefined}
        >
          <NavList.LeadingVisual>
            <Visual />
          </NavList.LeadingVisual>
          {words}
        </NavList.Item>
      ))}
    </NavList>
  )
}
