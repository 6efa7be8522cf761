'use client'
import { OrganizationIcon, PlusIcon, RepoIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { ActionList, ActionMenu, IconButton } from './primer'

const links = [
  { href: '/-/new', words: 'New repository', Icon: RepoIcon },
  { href: '/-/orgs/new', words: 'New organization', Icon: OrganizationIcon },
]

/** What can be begun from every page. */
export function CreateMenu(): ReactNode {
  return (
    <ActionMenu>
      <ActionMenu.Anchor>
        <IconButton icon={PlusIcon} aria-label="Create" variant="invisible" />
      </ActionMenu.Anchor>
      <ActionMenu.Overlay width="small" align="end">
        <ActionList>
          {links.map(({ href, words, Icon }) => (
            <ActionList.LinkItem key={href} as={NextLink} href={href} prefetch={false}>
              <ActionList.LeadingVisual>
                <Icon />
              </ActionList.LeadingVisual>
              {words}
            </ActionList.LinkItem>
          ))}
        </ActionList>
      </ActionMenu.Overlay>
    </ActionMenu>
  )
}
