'use client'
import { ThreeBarsIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button, NavList } from '@/app/_components/primer'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { User } from '@/server/users/schema'
import styles from './settings.module.css'
import { accessPages, accountPages, adminPages, allPages } from './settings-pages'

interface SettingsNavProps {
  user: User
  /** The password must be changed before any other page opens. */
  locked: boolean
}

export function SettingsNav({ user, locked }: SettingsNavProps): ReactNode {
  const pathname = usePathname()
  const [open, setOpen] = useState(false)
  const here = allPages.find(page => pathname.startsWith(page.href))
  const groups = [
    { title: 'Account', pages: locked ? accountPages.filter(page => page === here) : accountPages },
    { title: 'Access', pages: locked ? [] : accessPages },
    { title: 'Site administration', pages: user.is_admin && !locked ? adminPages : [] },
  ]

  return (
    <div>
      <div className={styles.who}>
        <UserAvatar id={user.id} size={40} />
        <div className={styles.names}>
          <p className={styles.name}>{user.full_name || user.login}</p>
          <p className={styles.hint}>Your account</p>
        </div>
      </div>
      <div className={styles.toggle}>
        <Button
          block
          alignContent="start"
          leadingVisual={ThreeBarsIcon}
          aria-expanded={open}
          aria-controls="settings-nav"
          onClick={() => setOpen(!open)}
        >
          {here ? `Settings: ${here.words}` : 'Settings'}
        </Button>
      </div>
      <NavList id="settings-nav" aria-label="Settings" className={open ? styles.open : styles.closed}>
        {groups
          .filter(group => group.pages.length > 0)
          .map(({ title, pages }) => (
            <NavList.Group key={title} title={title}>
              {pages.map(({ href, words, icon: Visual }) => (
                <NavList.Item
                  key={href}
                  as={NextLink}
                  href={href}
                  prefetch={false}
                  aria-current={pathname.startsWith(href) ? 'page' : undefined}
                  onClick={() => setOpen(false)}
                >
                  <NavList.LeadingVisual>
                    <Visual />
                  </NavList.LeadingVisual>
                  {words}
                </NavList.Item>
              ))}
            </NavList.Group>
          ))}
      </NavList>
    </div>
  )
}
