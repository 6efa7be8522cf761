'use client'
import {
  BookIcon,
  GearIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  SignOutIcon,
  TriangleDownIcon,
} from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import styles from './account-menu.module.css'
import { Menu, MenuAction, MenuDivider, MenuLink } from './menu'
import { Button } from './primer'
import { UserAvatar } from './user-avatar'

interface AccountMenuProps {
  user: User
  organizations: readonly Organization[]
}

/** More than these are found on the page that lists them. */
const maxShown = 5

export function AccountMenu({ user, organizations }: AccountMenuProps): ReactNode {
  const signOut = useMutation({
    mutationFn: () => trpc.sessions.signOut.mutate(),
    // A whole new page, so that nothing this person has read stays in memory.
    onSuccess: () => window.location.assign('/'),
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <Menu
      label={`Account menu of ${user.login}`}
      button={props => (
        <Button {...props} variant="invisible" trailingVisual={TriangleDownIcon} className={styles.anchor}>
          <span className={styles.who}>
            <UserAvatar id={user.id} size={24} />
            <span className={styles.name}>{user.login}</span>
          </span>
        </Button>
      )}
    >
      <MenuLink href={`/${encodeURIComponent(user.login)}`} visual={<PersonIcon />}>
        Your profile
      </MenuLink>
      <MenuLink href="/-/orgs" visual={<OrganizationIcon />}>
        Your organizations
      </MenuLink>
      {organizations.slice(0, maxShown).map(({ id, name }) => (
        <MenuLink key={id} href={`/${encodeURIComponent(name)}`} visual={<UserAvatar id={id} size={16} />}>
          {name}
        </MenuLink>
      ))}
      <MenuDivider />
      <MenuLink href="/user/settings/keys" visual={<GearIcon />}>
        Settings
      </MenuLink>
      {user.is_admin ? (
        <MenuLink href="/-/admin/users" visual={<PeopleIcon />}>
          Site administration
        </MenuLink>
      ) : null}
      <MenuLink href="/api/docs" visual={<BookIcon />}>
        API documentation
      </MenuLink>
      <MenuDivider />
      <MenuAction visual={SignOutIcon} onSelect={() => signOut.mutate()}>
        Sign out
      </MenuAction>
    </Menu>
  )
}
