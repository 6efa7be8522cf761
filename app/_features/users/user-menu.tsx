'use client'
import { KebabHorizontalIcon, KeyIcon, PencilIcon, PersonIcon, TrashIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Menu, MenuAction, MenuDivider, MenuLink } from '@/app/_components/menu'
import { IconButton } from '@/app/_components/primer'
import type { User } from '@/server/users/schema'

export function UserMenu({ user, onDelete }: { user: User; onDelete: () => void }): ReactNode {
  const { login } = user
  return (
    <Menu
      label={`Actions for ${login}`}
      button={props => (
        <IconButton {...props} icon={KebabHorizontalIcon} variant="invisible" unsafeDisableTooltip />
      )}
    >
      <MenuLink href={`/-/admin/users/${login}`} visual={<PencilIcon />}>
        Edit
      </MenuLink>
      <MenuLink href={`/-/admin/users/${login}/keys`} visual={<KeyIcon />}>
        SSH keys
      </MenuLink>
      <MenuLink href={`/${login}`} visual={<PersonIcon />}>
        View profile
      </MenuLink>
      <MenuDivider />
      <MenuAction visual={TrashIcon} danger onSelect={onDelete}>
        Delete…
      </MenuAction>
    </Menu>
  )
}
