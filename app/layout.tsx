import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import '@primer/primitives/dist/css/primitives.css'
import '@primer/primitives/dist/css/functional/themes/light.css'
import '@primer/primitives/dist/css/functional/themes/light-high-contrast.css'
import '@primer/primitives/dist/css/functional/themes/dark.css'
import '@primer/primitives/dist/css/functional/themes/dark-high-contrast.css'
import './accent.css'
import './global.css'
import './highlight.css'
import { viewerName } from '@/server/auth/page-viewer'
import { LiveMark } from './_components/live-mark'
import { NavigationProgress } from './_components/navigation-progress'
import { Providers } from './_components/providers'
import { ScriptNotice } from './_components/script-notice'
import { ReadOnlyNotice, SiteFooter, SiteHeader, SkipLink } from './_components/site-frame'
import { Bell } from './_features/notifications/bell'
import { SearchButton } from './_features/search/search-button'
import {
  currentPath,
  currentSession,
  instanceStatus,
  liveCursor,
  ownOrganizations,
  scriptNonce,
  unreadNotifications,
} from './_lib/server'
import { shortcutsCookie } from './_lib/switch-shortcuts'
import { readTheme, schemesOf } from './_lib/theme'

export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: { template: '%s · Guildhall', default: 'Guildhall' },
  description: 'Host Git repositories, publish releases, and run workflows.',
  icons: { icon: { url: '/assets/favicon.svg', type: 'image/svg+xml' } },
  openGraph: { siteName: 'Guildhall', type: 'website' },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f8fa' },
    { media: '(prefers-color-scheme: dark)', color: '#010409' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const [cursor, path, store, nonce, session, organizations, status, notifications] = await Promise.all([
    liveCursor(),
    currentPath(),
    cookies(),
    scriptNonce(),
    currentSession(),
    ownOrganizations(),
    instanceStatus(),
    unreadNotifications(),
  ])
  const theme = readTheme(name => store.get(name)?.value)
  const { day, night } = schemesOf(theme)
  const user = session?.user
  const viewer = viewerName(user?.id)

  return (
    <html
      lang="en"
      data-color-mode={theme.mode}
      data-light-theme={day}
      data-dark-theme={night}
      data-a11y-link-underlines="true"
      data-shortcuts={store.get(shortcutsCookie)?.value === 'off' ? 'off' : 'on'}
      data-viewer={viewer}
      data-cursor={cursor}
    >
      <body>
        {/* The browser runs this script after the stylesheets have loaded and renders the content below it after the script, so nothing is laid out unstyled. */}
        <script nonce={nonce} suppressHydrationWarning>
          0
        </script>
        {/* The key remounts everything for another viewer, so nothing the previous one typed or read remains. */}
        <Providers key={viewer} viewer={user && { id: user.id, login: user.login }}>
          <NavigationProgress />
          <SkipLink />
          <SiteHeader
            path={path}
            user={user}
            organizations={organizations}
            theme={theme}
            bell={notifications && <Bell unread={notifications.unread} />}
            searchLauncher={
              session?.must_change_password ? null : (
                <SearchButton user={user && { is_admin: user.is_admin }} />
              )
            }
          />
          {status.read_only ? <ReadOnlyNotice /> : null}
          <ScriptNotice />
          <main id="main" tabIndex={-1}>
            {children}
          </main>
          <SiteFooter version={status.version} />
          {session ? <LiveMark /> : null}
        </Providers>
      </body>
    </html>
  )
}
