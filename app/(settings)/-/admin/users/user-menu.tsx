'use client'
import { KebabHorizontalIcon, KeyIcon, PencilIcon, PersonIcon, TrashIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { ActionList, ActionMenu, IconButton } from '@/app/_components/primer'
import type { User } from '@/server/users/schema'

export function UserMenu({ user, onDelete }: { user: User; onDelete: () => void }): ReactNode {
  const links = [
    { href: `/-/admin/users/${user.login}`, words: 'Edit', Icon: PencilIcon },
    { href: `/-/admin/users/${user.login}/keys`, words: 'SSH keys', Icon: KeyIcon },
    { href: `/${user.login}`, words: 'View profile', Icon: PersonIcon },
  ]
  return (
    <ActionMenu>
      <ActionMenu.Anchor>
        <IconButton icon={KebabHorizontalIcon} aria-label={`Actions for ${user.login}`} variant="invisible" />
      </ActionMenu.Anchor>
      <ActionMenu.Overlay align="end">
        <ActionList>
          {links.map(({ href, words, Icon }) => (
            <ActionList.LinkItem key={href} as={NextLink} href={href}>
              <ActionList.LeadingVisual>
                <Icon />
              </ActionList.LeadingVisual>
              {words}
            </ActionList.LinkItem>
          ))}
          <ActionList.Divider />
          <ActionList.Item variant="danger" onSelect={onDelete}>
            <ActionList.LeadingVisual>
              <TrashIcon />
            </ActionList.LeadingVisual>
            Delete…
          </ActionList.Item>
        </ActionList>
      </ActionMenu.Overlay>
    </ActionMenu>
  )
}
