'use client'
import { OrganizationIcon, PlusIcon, RepoIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Menu, MenuLink } from './menu'
import { IconButton } from './primer'

/** What can be begun from every page. */
export function CreateMenu(): ReactNode {
  return (
    <Menu
      label="Create"
      button={props => <IconButton {...props} icon={PlusIcon} variant="invisible" unsafeDisableTooltip />}
    >
      <MenuLink href="/-/new" visual={<RepoIcon />}>
        New repository
      </MenuLink>
      <MenuLink href="/-/orgs/new" visual={<OrganizationIcon />}>
        New organization
      </MenuLink>
    </Menu>
  )
}
