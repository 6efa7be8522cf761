import { orgSettingsPages } from '@/app/_features/orgs/org-tabs'
import { settingsPages } from '@/app/_features/settings/settings-nav'
import { orgPath } from '@/app/_lib/paths'
import type { Place } from '@/app/_lib/recent-places'

/** The settings pages of somebody who is signed in and of the organizations they own; an administrator's too. */
export function pagesOf(isAdmin: boolean, ownedOrganizations: readonly string[]): Place[] {
  const own = settingsPages(isAdmin).flatMap(({ title, pages }) =>
    pages.map(({ label, href }) => ({ kind: 'settings' as const, text: `${title}: ${label}`, href })),
  )
  const ofOrganizations = ownedOrganizations.flatMap(org =>
    orgSettingsPages.map(({ label, segment }) => ({
      kind: 'settings' as const,
      text: `${org}: ${label}`,
      href: orgPath(org, segment),
    })),
  )
  return [...own, ...ofOrganizations]
}
