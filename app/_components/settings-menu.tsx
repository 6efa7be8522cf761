'use client'
import type { Icon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { NavList } from './primer'

interface SettingsPage {
  /** What follows the two names of the address, such as `settings/access`. */
  part: string
  words: string
  Icon: Icon
}

interface SettingsMenuProps {
  label: string
  pages: readonly SettingsPage[]
  addressOf: (part: string) => string
}

/** The pages of the settings of something that two names of the address tell, such as a repository. */
export function SettingsMenu({ label, pages, addressOf }: SettingsMenuProps): ReactNode {
  const here = usePathname().split('/').slice(3).join('/')
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
