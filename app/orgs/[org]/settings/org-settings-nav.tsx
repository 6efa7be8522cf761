'use client'
import { BlockedIcon, OrganizationIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { NavList } from '@/app/_components/primer'
import { orgAddress } from '../../_org/org-address'

const pages = [
  { part: 'settings', words: 'General', Icon: OrganizationIcon },
  { part: 'settings/blocked', words: 'Blocked users', Icon: BlockedIcon },
]

export function OrgSettingsNav({ org }: { org: string }): ReactNode {
  const here = usePathname().split('/').slice(3).join('/')
  return (
    <NavList aria-label="Settings of the organization">
      {pages.map(({ part, words, Icon }) => (
        <NavList.Item
          key={part}
          as={NextLink}
          href={orgAddress(org, part)}
          prefetch={false}
          aria-current={part === here ? 'page' : undefined}
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
