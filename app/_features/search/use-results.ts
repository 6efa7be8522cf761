'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPages } from '@/app/_features/administration/admin-nav'
import { orgSettingsPages } from '@/app/_features/orgs/org-tabs'
import { settingsPages } from '@/app/_features/settings/settings-nav'
import { readFailure } from '@/app/_lib/failure'
import { explorePath, orgPath } from '@/app/_lib/paths'
import { recentPages } from '@/app/_lib/recent-pages'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { User } from '@/server/users/schema'
import { matchingCommands, siteCommands } from './commands'
import { type DestinationGroup, groupsOf, matchingPages, type SettingsPage, termsOf } from './destination'
import { pageActions } from './page-actions'

/** The person who searches, if signed in. */
export type Seeker = Pick<User, 'is_admin'>

interface Results {
  groups: DestinationGroup[]
  /** Whether there is something to show. If not, the status is also visible. */
  isFound: boolean
  /** Text of the polite live region. */
  status: string
  /** Whether the shown results belong to an earlier text. */
  isBehind: boolean
  failure: string | undefined
  again: () => void
}

const typingMs = 120

/** Maximum number of recent pages shown without a search text. */
const mostRecent = 5

/** Maximum number of page actions without a search text, and of commands that match a text. */
const mostUnasked = 5
const mostCommands = 6

/**
 * Finds pages and commands that contain all words of the text while it is typed. Without a text, returns
 * recent pages and available commands.
 */
export function useResults(user: Seeker | undefined, text: string, showKeys: () => void): Results {
  const wanted = text.trim()
  const settled = useDebounced(wanted, typingMs)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['search.find', settled],
    queryFn: ({ signal }) => trpc.search.find.query({ q: settled }, { signal }),
    meta: { isAsked: true },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
  const { data: memberships = [] } = useQuery({
    queryKey: ['orgs.listMemberships'],
    queryFn: () => trpc.orgs.listMemberships.query(),
    enabled: user !== undefined,
  })
  const [recent] = useState(() => recentPages().filter(({ href }) => href !== window.location.pathname))
  // The actions are read when the palette opens, before its dialog covers the page.
  const [onPage] = useState(pageActions)
  const onSite = siteCommands(user !== undefined, showKeys)
  const commands = onSite.filter(({ text }) => onPage.every(own => own.text !== text))
  const again = (): void => void refetch()
  const answer = (groups: DestinationGroup[], rest: Omit<Results, 'groups' | 'again'>): Results => ({
    groups: groups.filter(({ destinations }) => destinations.length > 0),
    again,
    ...rest,
  })
  if (wanted === '') {
    const own = onPage.filter(({ text }) => !text.startsWith('Go to ')).slice(0, mostUnasked)
    return answer(
      [
        { title: 'Recent', destinations: recent.slice(0, mostRecent) },
        { title: 'On this page', destinations: own },
        { title: 'Commands', destinations: commands },
      ],
      { status: 'Start typing to search.', isFound: true, isBehind: false, failure: undefined },
    )
  }

  // Showing anything earlier would make the list jump when results arrive.
  if (data === undefined && error === null)
    return answer([], { status: 'Searching…', isFound: false, isBehind: true, failure: undefined })
  const terms = termsOf(wanted)
  const owned = memberships.filter(({ is_owner }) => is_owner).map(({ organization }) => organization.name)
  const groups = [
    // Pages come first because Enter opens the first result: typing a name must not run a command that starts
    // alike.
    ...(data ? groupsOf(data) : []),
    {
      title: 'Commands',
      destinations: matchingCommands([...onPage, ...commands], terms).slice(0, mostCommands),
    },
    { title: 'Settings', destinations: matchingPages(user ? pagesOf(user.is_admin, owned) : [], terms) },
  ]
  const isBehind = wanted !== settled || isPlaceholderData
  const count = groups.reduce((sum, { destinations }) => sum + destinations.length, 0)
  return answer(
    [...groups, searchesFor(wanted, count > 0, user !== undefined && data !== undefined && !isBehind)],
    {
      isFound: count > 0,
      status: isBehind ? 'Searching…' : error ? '' : foundText(count, wanted),
      isBehind,
      failure: error && !isBehind ? readFailure(error).message : undefined,
    },
  )
}

const foundText = (count: number, q: string): string =>
  count === 0 ? `No results for “${q}”.` : `${count} found`

/**
 * Returns links to wider searches, or, if nothing was found, a command to create a repository of that name.
 */
function searchesFor(q: string, isFound: boolean, isSignedIn: boolean): DestinationGroup {
  if (isFound) {
    return {
      title: 'More',
      destinations: [
        { kind: 'repository', text: `Repositories matching “${q}”`, href: explorePath('repositories', q) },
        {
          kind: 'organization',
          text: `Organizations matching “${q}”`,
          href: explorePath('organizations', q),
        },
        { kind: 'person', text: `People matching “${q}”`, href: explorePath('people', q) },
      ],
    }
  }
  const href = `/-/new?name=${encodeURIComponent(q)}`
  const create = { kind: 'command' as const, text: `New repository “${q}”`, href }
  return { title: 'Commands', destinations: isSignedIn && isPossibleName(q) ? [create] : [] }
}

const isPossibleName = (q: string): boolean => /^[\w.-]{1,100}$/.test(q)

/**
 * Returns the settings pages of a signed-in person and of the organizations they own, and the administration
 * pages for administrators.
 */
function pagesOf(isAdmin: boolean, ownedOrganizations: readonly string[]): SettingsPage[] {
  const own = [
    ...settingsPages.map(page => ({ of: 'Your account', ...page })),
    ...(isAdmin ? adminPages : []).map(page => ({ of: 'Site administration', ...page })),
  ].map(({ of, label, href }) => ({
    kind: 'settings' as const,
    text: `${of}: ${label}`,
    href,
    isOfOrganization: false,
  }))
  const ofOrganizations = ownedOrganizations.flatMap(org =>
    orgSettingsPages.map(({ label, segment }) => ({
      kind: 'settings' as const,
      text: `${org}: ${label}`,
      href: orgPath(org, segment),
      isOfOrganization: true,
    })),
  )
  return [...own, ...ofOrganizations]
}
