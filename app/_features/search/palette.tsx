'use client'
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  GearIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  RepoIcon,
  SearchIcon,
  ZapIcon,
} from '@/app/_components/icons'
import { PageLink } from '@/app/_components/page-link'
import { Button, Dialog, FormControl, Label, TextInput } from '@/app/_components/primer'
import { isPlainClick } from '@/app/_lib/plain-click'
import { forgetIfDeleted, rememberPage } from '@/app/_lib/recent-pages'
import { type Destination, type DestinationGroup, markTerms, termsOf, typedText } from './destination'
import { KeySheet } from './key-sheet'
import styles from './palette.module.css'
import { useActiveResult } from './use-active-result'
import { type Seeker, useResults } from './use-results'

interface PaletteProps {
  user: Seeker | undefined
  /** Keys that were pressed after opening search and before the palette had loaded. */
  typed: readonly string[]
  onShow: (dialog: 'palette' | 'keys') => void
  onClose: () => void
}

/** The dialogs that keyboard shortcuts open, loaded together. */
export function Dialogs({ open, ...palette }: PaletteProps & { open: 'palette' | 'keys' }): ReactNode {
  // Closes an open menu, which would stay on top. This happens before the dialog takes the focus, so that the
  // dialog returns the focus to the menu's button.
  useLayoutEffect(() => document.querySelector<HTMLElement>(':popover-open')?.hidePopover(), [])
  return open === 'keys' ? <KeySheet onClose={palette.onClose} /> : <Palette {...palette} />
}

/** Finds pages by words in their names while the viewer types, and opens them. */
function Palette({ user, typed, onShow, onClose }: PaletteProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const { groups, isFound, status, isBehind, failure, again } = useResults(user, text, () => onShow('keys'))
  const destinations = groups.flatMap(group => group.destinations)
  const result = useActiveResult(destinations, { isBehind, hasFailed: Boolean(failure) })
  const { listId, activeId, openWhenFound } = result

  // The field has the focus only from here on. Keys pressed before were collected in `typed`.
  const enterTyped = useEffectEvent((keys: readonly string[]) => {
    const ahead = typedText(keys)
    setText(ahead.text)
    if (ahead.isEntered) openWhenFound()
  })
  useEffect(() => enterTyped(typed), [typed])

  return (
    <Dialog
      title="Search"
      width="xlarge"
      align="top"
      onClose={onClose}
      initialFocusRef={field}
      className={styles.dialog}
    >
      <FormControl>
        <FormControl.Label visuallyHidden>Search</FormControl.Label>
        <TextInput
          ref={field}
          block
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={destinations.length > 0}
          aria-controls={destinations.length > 0 ? listId : undefined}
          aria-activedescendant={activeId}
          leadingVisual={SearchIcon}
          placeholder="Search repositories, people, settings, or commands"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={event => {
            setText(event.target.value)
            result.reset()
          }}
          onKeyDown={result.onKeyDown}
        />
      </FormControl>
      <p role="status" className={isFound || failure ? 'visually-hidden' : styles.status}>
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
      {destinations.length > 0 ? (
        <Results
          id={listId}
          groups={groups}
          active={destinations[result.active]}
          optionId={destination => result.optionId(destinations.indexOf(destination))}
          terms={termsOf(text)}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  )
}

interface ResultsProps {
  id: string
  groups: readonly DestinationGroup[]
  active: Destination | undefined
  optionId: (destination: Destination) => string
  terms: readonly string[]
  onClose: () => void
}

function Results({ id, groups, active, optionId, terms, onClose }: ResultsProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label="Results" tabIndex={-1} className={styles.results}>
      {groups.map(({ title, destinations }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
        <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
          <div id={`${id}-group-${index}`} role="presentation" className={styles.title}>
            {title}
          </div>
          {destinations.map(destination => (
            <Option
              key={destination.href}
              destination={destination}
              id={optionId(destination)}
              isActive={destination === active}
              onClose={onClose}
            >
              <DestinationLine destination={destination} terms={terms} />
            </Option>
          ))}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  destination: Destination
  id: string
  isActive: boolean
  onClose: () => void
  children: ReactNode
}

/** A link to a page, or a button for a command that runs on the current page. */
function Option({ destination, id, isActive, onClose, children }: OptionProps): ReactNode {
  const { kind, text, href, run } = destination
  const option = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    className: styles.destination,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  }
  if (run) {
    return (
      <button
        {...option}
        type="button"
        onClick={() => {
          onClose()
          // Runs after the dialog has returned the focus.
          setTimeout(run)
        }}
      >
        {children}
      </button>
    )
  }
  return (
    <PageLink
      {...option}
      href={href}
      onClick={event => {
        if (!isPlainClick(event)) return
        // Other pages record themselves (`VisitedPage`).
        if (kind === 'settings') rememberPage({ kind, text, href })
        forgetIfDeleted(href)
        onClose()
      }}
    >
      {children}
    </PageLink>
  )
}

const icons = {
  repository: { Icon: RepoIcon, label: 'Repository' },
  organization: { Icon: OrganizationIcon, label: 'Organization' },
  team: { Icon: PeopleIcon, label: 'Team' },
  person: { Icon: PersonIcon, label: 'Person' },
  settings: { Icon: GearIcon, label: 'Settings' },
  command: { Icon: ZapIcon, label: 'Command' },
} as const

function DestinationLine({
  destination,
  terms,
}: {
  destination: Destination
  terms: readonly string[]
}): ReactNode {
  const { Icon, label } = icons[destination.kind]
  return (
    <>
      <span className={styles.icon}>
        <Icon aria-label={label} />
      </span>
      <span className={styles.name}>
        <bdi>
          <Marked text={destination.text} terms={terms} />
        </bdi>
        {destination.hint ? (
          <span className={styles.hint}>
            <Marked text={destination.hint} terms={terms} />
          </span>
        ) : null}
      </span>
      {destination.label ? <Label variant="secondary">{destination.label}</Label> : null}
      {destination.isArchived ? <Label variant="attention">Archived</Label> : null}
    </>
  )
}

function Marked({ text, terms }: { text: string; terms: readonly string[] }): ReactNode {
  let at = 0
  return markTerms(text, terms).map(({ part, isMatch }) => {
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
