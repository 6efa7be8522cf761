'use client'
import {
  BookIcon,
  GearIcon,
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
import type { User } from '@/server/users/schema'
import styles from './account-menu.module.css'
import { ActionList, ActionMenu, Button } from './primer'
import { UserAvatar } from './user-avatar'

export function AccountMenu({ user }: { user: User }): ReactNode {
  const signOut = useMutation({
    mutationFn: () => trpc.sessions.signOut.mutate(),
    // A whole new page, so that nothing this person has read stays in memory.
    onSuccess: () => window.location.assign('/'),
    onError: error => toast.error(readFailure(error).message),
  })
  const links = [
    { href: `/${encodeURIComponent(user.login)}`, words: 'Your profile', Icon: PersonIcon },
    { href: '/user/settings/keys', words: 'Settings', Icon: GearIcon },
    ...(user.is_admin ? [{ href: '/admin/users', words: 'Site administration', Icon: PeopleIcon }] : []),
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
          {links.map(({ href, words, Icon }) => (
            <ActionList.LinkItem key={href} as={NextLink} href={href} prefetch={false}>
              <ActionList.LeadingVisual>
                <Icon />
              </ActionList.LeadingVisual>
              {words}
            </ActionList.LinkItem>
          ))}
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
