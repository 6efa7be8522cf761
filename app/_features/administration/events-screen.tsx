'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import boxStyles from '@/app/_components/box.module.css'
import { CursorPager } from '@/app/_components/cursor-pager'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { Fact, FactList } from '@/app/_components/fact-list'
import { DownloadIcon, HistoryIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { QuerySelect, useQueryText } from '@/app/_components/query-controls'
import { RelativeDate } from '@/app/_components/relative-date'
import { visibleLine } from '@/app/_lib/visible-text'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { AuditEvent, EventFilter } from '@/server/audit/schema'
import type { CursorPage } from '@/server/kernel/pagination'
import styles from './events.module.css'

interface EventsScreenProps {
  filter: EventFilter
  cursor: number | undefined
  found: CursorPage<AuditEvent>
}

/** Page of the audit log: filters, export links, and the matching events, newest first. */
export function EventsScreen({ filter, cursor, found }: EventsScreenProps): ReactNode {
  const router = useRouter()
  const { kind, ...others } = filter
  const isNarrowed = kind !== 'everything' || Object.values(others).some(value => value !== '')
  return (
    <>
      <PageHeading title="Events" actions={<Exports filter={filter} />}>
        Audit log for this site.
      </PageHeading>
      <Filters filter={filter} />
      {found.items.length > 0 ? (
        <ul className={boxStyles.frame} aria-label="Events">
          {joinPushes(found.items).map(({ event, other }) => (
            <EventRow key={event.id} event={event} other={other} />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={HistoryIcon}
          title={isNarrowed ? 'No matching events' : 'No events'}
          action={
            isNarrowed ? (
              <Button onClick={() => router.replace('/-/admin/events?kind=everything')}>Show all</Button>
            ) : undefined
          }
        >
          {filter.from && filter.to && filter.to < filter.from ? (
            <p>The “To” date is before the “From” date.</p>
          ) : null}
          {filter.place.includes('/') ? (
            <p>To find events for a deleted repository, enter only the owner’s name.</p>
          ) : null}
        </EmptyState>
      )}
      <CursorPager label="Pages of events" cursor={cursor} next={found.next} />
    </>
  )
}

/**
 * Links that export the matching events. The browser saves an exported file without leaving the page, but
 * navigates to any other response, such as a redirect to the sign-in page.
 */
function Exports({ filter }: { filter: EventFilter }): ReactNode {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString()
  const hrefOf = (format: string): string => `/-/admin/events.${format}${query && `?${query}`}`
  return (
    <>
      <Button as="a" href={hrefOf('jsonl')} leadingVisual={DownloadIcon}>
        Export as JSON Lines
      </Button>
      <Button as="a" href={hrefOf('csv')} leadingVisual={DownloadIcon}>
        Export as CSV
      </Button>
    </>
  )
}

const kinds = [
  { value: 'people', label: 'Actions by people' },
  { value: 'everything', label: 'All events, including runs and jobs' },
  { value: 'accounts', label: 'Accounts' },
  { value: 'sign-in', label: 'Sign-in and passwords' },
  { value: 'credentials', label: 'Keys and tokens' },
  { value: 'organizations', label: 'Organizations and teams' },
  { value: 'repositories', label: 'Repositories' },
  { value: 'code', label: 'Code' },
  { value: 'releases', label: 'Releases' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'actions', label: 'Actions' },
]

function Filters({ filter: { kind, actor, place, from, to } }: Pick<EventsScreenProps, 'filter'>): ReactNode {
  const isListed = kinds.some(({ value }) => value === kind)
  return (
    <search className={styles.filters}>
      <QuerySelect
        label="Event type"
        name="kind"
        value={kind}
        choices={isListed ? kinds : [...kinds, { value: kind, label: kind }]}
      />
      <FilterField label="User" name="actor" value={actor} placeholder="Username" />
      <FilterField label="Owner or repository" name="place" value={place} placeholder="owner/name" />
      <FilterField label="From (UTC)" name="from" value={from} type="date" />
      <FilterField label="To (UTC)" name="to" value={to} type="date" />
    </search>
  )
}

interface FilterFieldProps {
  label: string
  name: 'actor' | 'place' | 'from' | 'to'
  value: string
  placeholder?: string
  type?: 'date'
}

function FilterField({ label, name, value, placeholder, type }: FilterFieldProps): ReactNode {
  const [text, setText] = useQueryText(name, value)
  const hydrated = useHydrated()
  return (
    <FormControl>
      <FormControl.Label>{label}</FormControl.Label>
      <TextInput
        block
        type={type ?? 'search'}
        placeholder={placeholder}
        autoComplete="off"
        maxLength={200}
        readOnly={!hydrated}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </FormControl>
  )
}

function EventRow({ event, other }: EventRowProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { actor, text, remote_address: address, owner, repository, created } = event
  const place = repository ?? owner
  const sentence = visibleLine(text)
  return (
    <DisclosureRow
      name={`Details: ${actor?.name ?? nobody(event)} ${sentence}`}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
      summary={
        <>
          <p className={styles.sentence}>
            <strong>
              {actor ? <QuietLink href={`/${actor.name}`}>{actor.name}</QuietLink> : nobody(event)}
            </strong>{' '}
            <bdi>{sentence}</bdi>
          </p>
          <p className={boxStyles.facts}>
            <span>
              <RelativeDate value={created} />
            </span>
            {place && place !== actor?.name ? (
              <span>
                in <QuietLink href={`/${place}`}>{place}</QuietLink>
              </span>
            ) : null}
            {address ? <span>from {address}</span> : null}
          </p>
        </>
      }
    >
      <Facts event={event} />
      {other ? <Facts event={other} /> : null}
    </DisclosureRow>
  )
}

interface EventRowProps {
  event: AuditEvent
  /** Event about the branch or tag that the push created or deleted, shown in the same row. */
  other: AuditEvent | undefined
}

/**
 * Returns a row for each event, except that the two events of a push that creates or deletes a branch or tag
 * share one row.
 */
function joinPushes(events: readonly AuditEvent[]): EventRowProps[] {
  const keyOf = ({ request_id, repository, facts }: AuditEvent): string =>
    JSON.stringify([request_id, repository, facts.ref])
  const refs = new Map(
    events.flatMap(event => (/^ref\./.test(event.kind) ? [[keyOf(event), event] as const] : [])),
  )
  const others = new Map(
    events.flatMap(event => {
      const other = event.kind === 'git.pushed' ? refs.get(keyOf(event)) : undefined
      return other ? [[event.id, other] as const] : []
    }),
  )
  const joined = new Set(others.values())
  return events.filter(event => !joined.has(event)).map(event => ({ event, other: others.get(event.id) }))
}

/**
 * Name shown for an event without an actor: an automatic action of the site, or an action of an anonymous
 * visitor or a deleted user.
 */
const nobody = ({ remote_address: address }: AuditEvent): string =>
  address === '' ? 'The site' : 'Anonymous or deleted user'

function Facts({ event }: { event: AuditEvent }): ReactNode {
  const { id, kind, created, request_id: request, facts } = event
  return (
    <>
      <FactList>
        <Fact term="Event ID">{id}</Fact>
        <Fact term="Event type">
          <code>{kind}</code>
        </Fact>
        <Fact term="Time">{created}</Fact>
        <Fact term="Request ID">
          <code>{request}</code>
        </Fact>
      </FactList>
      <pre className={styles.recorded}>
        <code>{JSON.stringify(facts, null, 2)}</code>
      </pre>
    </>
  )
}
