'use client'
import { GearIcon, PeopleIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { NavList } from '@/app/_components/primer'
import { repositoryAddress } from '@/app/_repos/repository-address'

const pages = [
  { part: 'settings', words: 'General', Icon: GearIcon },
  { part: 'settings/access', words: 'Access', Icon: PeopleIcon },
]

export function SettingsNav({ repository }: { repository: { full_name: string } }): ReactNode {
  const current = usePathname().split('/').slice(3).join('/')
  return (
    <NavList aria-label="Repository settings">
      {pages.map(({ part, words, Icon }) => (
        <NavList.Item
          key={part}
          as={NextLink}
          href={repositoryAddress(repository, part)}
          aria-current={part === current ? 'page' : undefined}
        >
          <NavList.LeadingVisual>
            <Icon />
          </NavList.LeadingVisual>
          {words}
        </NavList.Item>
      ))}
    </NavList>
  )
}
