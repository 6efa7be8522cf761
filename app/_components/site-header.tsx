import NextLink from 'next/link'
import type { ReactNode } from 'react'
import type { Theme } from '@/app/_lib/theme'
import type { User } from '@/server/users/schema'
import { AccountMenu } from './account-menu'
import { GuildMark } from './guild-mark'
import { SignInLink } from './sign-in-link'
import styles from './site-header.module.css'
import { ThemeMenu } from './theme-menu'

export function SiteHeader({ user, theme }: { user: User | undefined; theme: Theme }): ReactNode {
  return (
    <header className={styles.header}>
      <NextLink href="/" prefetch={false} className={styles.brand}>
        <GuildMark />
        <span>Guildhall</span>
      </NextLink>
      <div className={styles.tools}>
        <ThemeMenu initial={theme} />
        {user ? <AccountMenu user={user} /> : <SignInLink />}
      </div>
    </header>
  )
}
