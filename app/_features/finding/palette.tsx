'use client'
import {
  GearIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  RepoIcon,
  SearchIcon,
} from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button, Dialog, FormControl, Label, TextInput } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { explorePath } from '@/app/_lib/paths'
import { type Place, recentPlaces, rememberPlace } from '@/app/_lib/recent-places'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { User } from '@/server/users/schema'
import { pagesOf } from './pages'
import styles from './palette.module.css'
import { type FoundPlace, groupsOf, markWords, matchingPages, type PlaceGroup, wordsOf } from './place'

/** Who is looking, where somebody is signed in. */
export type Seeker = Pick<User, 'is_admin'>

export interface PaletteProps {
  user: Seeker | undefined
  onClose: () => void
}

const typingMs = 120

/** Finds places by words in their names while they are typed, and goes there. */
export function Palette({ user, onClose }: PaletteProps): ReactNode {
  const listId = useId()
  const router = useRouter()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const { groups, status, isBehind, failure, again } = useResults(user, text)
  const places = groups.flatMap(group => group.places)
  const [moved, setMoved] = useState<string>()
  const active = Math.max(
    places.findIndex(({ href }) => href === moved),
    0,
  )
  const optionId = (index: number): string => `${listId}-${index}`

  const go = (place: Place | undefined): void => {
    if (!place) return
    // All others are noted once they are seen.
    if (place.kind === 'settings') rememberPlace(place)
    onClose()
    router.push(place.href)
  }
  // Whoever types fast means what is still being looked for, not what an earlier text has found.
  const [isDue, setDue] = useState(false)
  const goFirst = useEffectEvent(() => {
    setDue(false)
    go(places[0])
  })
  useEffect(() => {
    if (isDue && !isBehind) goFirst()
  }, [isDue, isBehind])

  const activeId = places.length > 0 ? optionId(active) : undefined
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      if (isBehind && moved === undefined) setDue(true)
      else go(places[active])
    } else {
      const next = nextOf(event.key, active, places.length)
      if (next === undefined) return
      setMoved(places[next]?.href)
    }
    event.preventDefault()
  }

  return (
    <Dialog
      title="Find"
      width="xlarge"
      align="top"
      onClose={onClose}
      initialFocusRef={field}
      className={styles.dialog}
    >
      <FormControl>
        <FormControl.Label visuallyHidden>Find by words in any order</FormControl.Label>
        <TextInput
          ref={field}
          block
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={places.length > 0}
          aria-controls={places.length > 0 ? listId : undefined}
          aria-activedescendant={activeId}
          leadingVisual={SearchIcon}
          placeholder="Repository, organization, team, person or settings"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setMoved(undefined)
            setDue(false)
          }}
          onKeyDown={onKeyDown}
        />
      </FormControl>
      <p role="status" className={places.length > 0 || failure ? 'visually-hidden' : styles.status}>
        {status}
      </p>
      {failure ? (
        <div role="alert" className={styles.failure}>
          <p>{failure}</p>
          <Button size="small" onClick={again}>
            Try again
          </Button>
        </div>
      ) : null}
      {places.length > 0 ? (
        <Results
          id={listId}
          groups={groups}
          active={places[active]}
          optionId={place => optionId(places.indexOf(place))}
          words={wordsOf(text)}
          onGo={go}
        />
      ) : null}
    </Dialog>
  )
}

function nextOf(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return (active + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

interface Results {
  groups: PlaceGroup[]
  status: string
  /** What is shown was found by an earlier text. */
  isBehind: boolean
  failure: string | undefined
  again: () => void
}

function useResults(user: Seeker | undefined, text: string): Results {
  const wanted = text.trim()
  const settled = useDebounced(wanted, typingMs)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['finding.find', settled],
    queryFn: ({ signal }) => trpc.finding.find.query({ q: settled }, { signal }),
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

  // Settings alone would be pushed down by what comes a moment later.
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
    status: isBehind ? 'Looking…' : count === 0 ? `Nothing found for “${wanted}”.` : `${count} found`,
    isBehind: isBehind && error === null,
    failure: error && !isBehind ? readFailure(error).message : undefined,
    again,
  }
}

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

interface ResultsProps {
  id: string
  groups: readonly PlaceGroup[]
  active: Place | undefined
  optionId: (place: Place) => string
  words: readonly string[]
  onGo: (place: Place) => void
}

function Results({ id, groups, active, optionId, words, onGo }: ResultsProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label="Results" tabIndex={-1} className={styles.results}>
      {groups.map(({ title, places }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
        <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
          <div id={`${id}-${title}`} role="presentation" className={styles.title}>
            {title}
          </div>
          {places.map(place => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field goes there
            <div
              key={place.href}
              id={optionId(place)}
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              className={styles.place}
              onMouseDown={event => event.preventDefault()}
              onClick={() => onGo(place)}
            >
              <PlaceLine place={place} words={words} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

const icons = {
  repository: { Icon: RepoIcon, word: 'Repository' },
  organization: { Icon: OrganizationIcon, word: 'Organization' },
  team: { Icon: PeopleIcon, word: 'Team' },
  person: { Icon: PersonIcon, word: 'Person' },
  settings: { Icon: GearIcon, word: 'Settings' },
} as const

function PlaceLine({ place, words }: { place: FoundPlace; words: readonly string[] }): ReactNode {
  const { Icon, word } = icons[place.kind]
  return (
    <>
      <span className={styles.icon}>
        <Icon aria-label={word} />
      </span>
      <span className={styles.name} dir="auto">
        <Marked text={place.text} words={words} />
        {place.hint ? (
          <span className={styles.hint}>
            <Marked text={place.hint} words={words} />
          </span>
        ) : null}
      </span>
      {place.label ? <Label variant="secondary">{place.label}</Label> : null}
      {place.isArchived ? <Label variant="attention">Archived</Label> : null}
    </>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  let at = 0
  return markWords(text, words).map(({ part, isMatch }) => {
    const key = at
    at += part.length
    return isMatch ? (
      <mark key={key} className={styles.match}>
        {part}
      </mark>
    ) : (
      part
    )
  })
}
