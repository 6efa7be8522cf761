'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orgSettingsPages } from '@/app/_features/orgs/org-tabs'
import { settingsPages } from '@/app/_features/settings/settings-nav'
import { readFailure } from '@/app/_lib/failure'
import { explorePath, orgPath } from '@/app/_lib/paths'
import { type Place, recentPlaces } from '@/app/_lib/recent-places'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { User } from '@/server/users/schema'
import { groupsOf, matchingPages, type PlaceGroup, wordsOf } from './place'

/** Who is looking, where somebody is signed in. */
export type Seeker = Pick<User, 'is_admin'>

interface Results {
  groups: PlaceGroup[]
  /** Told politely. */
  status: string
  /** What is shown was found by an earlier text. */
  isBehind: boolean
  failure: string | undefined
  again: () => void
}

const typingMs = 120

/** Places whose names have all words of the text, found while it is typed; without a text, the recent ones. */
export function useResults(user: Seeker | undefined, text: string): Results {
  const wanted = text.trim()
  const settled = useDebounced(wanted, typingMs)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['finding.find', settled],
    queryFn: ({ signal }) => trpc.finding.find.query({ q: settled }, { signal }),
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
  const [recent] = useState(() => recentPlaces().filter(({ href }) => href !== window.location.pathname))
  const again = (): void => void refetch()
  if (wanted === '') {
    const groups = recent.length > 0 ? [{ title: 'Recent', places: recent }] : []
    return { groups, status: 'Type words in any order.', isBehind: false, failure: undefined, again }
  }

  // Showing settings first would make them jump when results arrive.
  if (data === undefined && error === null) {
    return { groups: [], status: 'Looking…', isBehind: true, failure: undefined, again }
  }
  const owned = memberships.filter(({ is_owner }) => is_owner).map(({ organization }) => organization.name)
  const pages = matchingPages(user ? pagesOf(user.is_admin, owned) : [], wordsOf(wanted))
  const found = data ? groupsOf(data) : []
  const groups = [...found, ...(pages.length > 0 ? [{ title: 'Settings', places: pages }] : [])]
  const isBehind = wanted !== settled || isPlaceholderData
  const count = groups.reduce((sum, { places }) => sum + places.length, 0)
  return {
    groups: count > 0 ? [...groups, seeAll(wanted)] : [],
    status: isBehind ? 'Looking…' : error ? '' : foundWords(count, wanted),
    isBehind,
    failure: error && !isBehind ? readFailure(error).message : undefined,
    again,
  }
}

const foundWords = (count: number, q: string): string =>
  count === 0 ? `Nothing found for “${q}”.` : `${count} found`

const seeAll = (q: string): PlaceGroup => ({
  title: 'More',
  places: [
    {
      kind: 'repository',
      text: 'See all repositories with these words',
      href: explorePath('repositories', q),
    },
    {
      kind: 'organization',
      text: 'See all organizations with these words',
      href: explorePath('organizations', q),
    },
    { kind: 'person', text: 'See all people with these words', href: explorePath('people', q) },
  ],
})

/** The settings pages of somebody who is signed in and of the organizations they own; an administrator's too. */
function pagesOf(isAdmin: boolean, ownedOrganizations: readonly string[]): Place[] {
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
