'use client'
import {
  BookIcon,
  GearIcon,
  type Icon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  SignOutIcon,
  TriangleDownIcon,
} from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import styles from './account-menu.module.css'
import { ActionList, ActionMenu, Button } from './primer'
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
  const own = [
    { href: `/${encodeURIComponent(user.login)}`, words: 'Your profile', Icon: PersonIcon },
    { href: '/-/orgs', words: 'Your organizations', Icon: OrganizationIcon },
  ]
  const rest = [
    { href: '/user/settings/keys', words: 'Settings', Icon: GearIcon },
    ...(user.is_admin ? [{ href: '/-/admin/users', words: 'Site administration', Icon: PeopleIcon }] : []),
    { href: '/api/docs', words: 'API documentation', Icon: BookIcon },
  ]

  return (
    <ActionMenu>
      <ActionMenu.Anchor>
        <Button
          variant="invisible"
          aria-label={`Account menu of ${user.login}`}
          trailingVisual={TriangleDownIcon}
          className={styles.anchor}
        >
          <span className={styles.who}>
            <UserAvatar id={user.id} size={24} />
            <span className={styles.name}>{user.login}</span>
          </span>
        </Button>
      </ActionMenu.Anchor>
      <ActionMenu.Overlay width="small" align="end">
        <ActionList>
          <MenuLinks links={own} />
          {organizations.slice(0, maxShown).map(({ id, name }) => (
            <ActionList.LinkItem
              key={id}
              as={NextLink}
              href={`/${encodeURIComponent(name)}`}
              prefetch={false}
              className={styles.organization}
            >
              <ActionList.LeadingVisual>
                <UserAvatar id={id} size={16} />
              </ActionList.LeadingVisual>
              {name}
            </ActionList.LinkItem>
          ))}
          <ActionList.Divider />
          <MenuLinks links={rest} />
          <ActionList.Divider />
          <ActionList.Item onSelect={() => signOut.mutate()}>
            <ActionList.LeadingVisual>
              <SignOutIcon />
            </ActionList.LeadingVisual>
            Sign out
          </ActionList.Item>
        </ActionList>
      </ActionMenu.Overlay>
    </ActionMenu>
  )
}

function MenuLinks({ links }: { links: { href: string; words: string; Icon: Icon }[] }): ReactNode {
  return links.map(({ href, words, Icon: Visual }) => (
    <ActionList.LinkItem key={href} as={NextLink} href={href} prefetch={false}>
      <ActionList.LeadingVisual>
        <Visual />
      </ActionList.LeadingVisual>
      {words}
    </ActionList.LinkItem>
  ))
}
