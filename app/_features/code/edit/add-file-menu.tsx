'use client'
import type { ReactNode } from 'react'
import { PlusIcon, TriangleDownIcon, UploadIcon } from '@/app/_components/icons'
import { Menu, MenuLink } from '@/app/_components/menu'
import { Button } from '@/app/_components/primer'

/** Menu of ways to add files to a directory on a branch. */
export function AddFileMenu({ uploadPath }: { uploadPath: string }): ReactNode {
  return (
    <Menu
      label="Add file"
      button={props => (
        <Button {...props} leadingVisual={PlusIcon} trailingVisual={TriangleDownIcon}>
          Add file
        </Button>
      )}
    >
      <MenuLink href={uploadPath} visual={<UploadIcon />}>
        Upload files
      </MenuLink>
    </Menu>
  )
}
