'use client'
import type { ReactNode } from 'react'
import { KebabHorizontalIcon, TrashIcon } from '@/app/_components/icons'
import { Menu, MenuLink } from '@/app/_components/menu'
import { IconButton } from '@/app/_components/primer'

/** Menu of what can be done with a file on a branch. */
export function FileMenu({ deletePath }: { deletePath: string }): ReactNode {
  return (
    <Menu
      label="More file actions"
      button={props => (
        <IconButton
          {...props}
          icon={KebabHorizontalIcon}
          size="small"
          variant="invisible"
          unsafeDisableTooltip
        />
      )}
    >
      <MenuLink href={deletePath} visual={<TrashIcon />}>
        Delete file
      </MenuLink>
    </Menu>
  )
}
