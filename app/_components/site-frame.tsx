import type { ReactNode } from 'react'
import {
  BookIcon,
  GearIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  RepoIcon,
} from '@/app/_components/icons'
import type { Theme } from '@/app/_lib/theme'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'
import { GuildMark } from './guild-mark'
import { AccountMenu, CreateMenu, ThemeMenu } from './header-menus'
import { SignInLink } from './links'
import { MenuDivider, MenuLink } from './menu'
import { PageLink } from './page-link'
import styles from './site-frame.module.css'
import { UserAvatar } from './user-avatar'

interface SiteHeaderProps {
  /** Path and query of the page. */
  path: string
  user: User | undefined
  organizations: readonly Organization[]
  theme: Theme
  /** Button that opens search. */
  searchLauncher: ReactNode
  /** Button that opens the viewer's notifications. */
  bell: ReactNode
}

export function SiteHeader({
  path,
  user,
  organizations,
  theme,
  searchLauncher,
  bell,
}: SiteHeaderProps): ReactNode {
  return (
    <header className={styles.header}>
      <nav aria-label="Site" className={styles.ways}>
        <PageLink href="/" className={styles.brand}>
          <GuildMark />
          <span className={styles.brandName}>Guildhall</span>
        </PageLink>
        <PageLink href="/explore" className={styles.way}>
          Explore
        </PageLink>
      </nav>
      <div className={styles.tools}>
        {searchLauncher}
        {user ? (
          <CreateMenu>
            <MenuLink href="/-/new" visual={<RepoIcon />}>
              New repository
            </MenuLink>
            <MenuLink href="/-/orgs/new" visual={<OrganizationIcon />}>
              New organization
            </MenuLink>
          </CreateMenu>
        ) : null}
        {bell}
        <ThemeMenu initial={theme} />
        {user ? (
          <AccountMenu
            user={{ id: user.id, login: user.login }}
            pages={<OwnPages user={user} organizations={organizations} />}
          />
        ) : (
          <SignInLink asked={path} />
        )}
      </div>
    </header>
  )
}

/** Maximum number of organizations in the menu. The organizations page lists all of them. */
const maxShown = 5

interface OwnPagesProps {
  user: User
  organizations: readonly Organization[]
}

/** Links of the account menu. */
function OwnPages({ user, organizations }: OwnPagesProps): ReactNode {
  return (
    <>
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
    </>
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
      <PageLink href="/api/docs" className={styles.footerLink}>
        API documentation
      </PageLink>
    </footer>
  )
}

/** Notice on each page of a site that is read-only. */
export function ReadOnlyNotice(): ReactNode {
  return (
    <p role="status" className={styles.notice}>
      This site is read-only during maintenance. You can read everything, but nobody can make changes.
    </p>
  )
}
