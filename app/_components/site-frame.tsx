import NextLink from 'next/link'
import type { ReactNode } from 'react'
import type { Theme } from '@/app/_lib/theme'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import { GuildMark } from './guild-mark'
import { AccountMenu, CreateMenu, ThemeMenu } from './header-menus'
import { SignInLink } from './links'
import styles from './site-frame.module.css'

interface SiteHeaderProps {
  user: User | undefined
  organizations: readonly Organization[]
  theme: Theme
  /** The way to every place by its name. */
  finder: ReactNode
}

export function SiteHeader({ user, organizations, theme, finder }: SiteHeaderProps): ReactNode {
  return (
    <header className={styles.header}>
      <nav aria-label="Site" className={styles.ways}>
        <NextLink href="/" prefetch={false} className={styles.brand}>
          <GuildMark />
          <span className={styles.brandName}>Guildhall</span>
        </NextLink>
        <NextLink href="/explore" prefetch={false} className={styles.way}>
          Explore
        </NextLink>
      </nav>
      <div className={styles.tools}>
        {finder}
        {user ? <CreateMenu /> : null}
        <ThemeMenu initial={theme} />
        {user ? <AccountMenu user={user} organizations={organizations} /> : <SignInLink />}
      </div>
    </header>
  )
}

export function SkipLink(): ReactNode {
  return (
    <a href="#main" className={styles.skip}>
      Skip to content
    </a>
  )
}

export function SiteFooter({ version }: { version: string }): ReactNode {
  return (
    <footer className={styles.footer}>
      <span>Guildhall {version}</span>
      {/* The viewer behind it is heavy; few who pass by open it. */}
      <NextLink href="/api/docs" prefetch={false} className={styles.footerLink}>
        API documentation
      </NextLink>
    </footer>
  )
}
