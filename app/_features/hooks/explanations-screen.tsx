'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { ListFrame } from '@/app/_components/box'
import { CursorPager } from '@/app/_components/cursor-pager'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { FreshButton } from '@/app/_components/fresh-button'
import { HistoryIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLink } from '@/app/_components/repository-name'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { allHooksQuery, hookEventQuery, hookEventsQuery, hooksKey } from '@/app/_lib/queries/hooks'
import { useAddressId } from '@/app/_lib/use-address-param'
import { useLive } from '@/app/_lib/use-live'
import { isBeingUsed, useStableRows } from '@/app/_lib/use-stable-rows'
import { visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { ConsideredHook, HookEvent } from '@/server/hooks/explanations/schema'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'
import styles from './explanations-screen.module.css'
import { hooksPath, hookTopics } from './hook-paths'
import { hookTitle } from './hook-title'
import { LostHooks } from './lost-hooks'

interface ExplanationsScreenProps {
  scope: ScopeName
  topics: readonly Topic[]
  cursor: number | undefined
}

/** Page of recent events. For each event, shows which hooks received it and why. */
export function ExplanationsScreen({ scope, topics, cursor }: ExplanationsScreenProps): ReactNode {
  const queryClient = useQueryClient()
  const { error } = useQuery(hookEventsQuery(scope, cursor))
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: hooksKey(scope) }))
  if (isLoss(error)) return <LostHooks scope={scope} what="these webhooks" error={error} />
  return (
    <>
      <Trail
        steps={[
          { href: hooksPath(scope), label: 'Webhooks' },
          { href: hooksPath(scope, 'events'), label: 'Events' },
        ]}
      />
      <PageHeading title="Events" level={headingLevel(scope)}>
        Recent events, newest first. Open one to see which webhooks received it and why others didn’t.
      </PageHeading>
      <EventList scope={scope} cursor={cursor} />
    </>
  )
}

function EventList({ scope, cursor }: Omit<ExplanationsScreenProps, 'topics'>): ReactNode {
  const { data, isPlaceholderData } = useQuery({
    ...hookEventsQuery(scope, cursor),
    placeholderData: keepPreviousData,
  })
  if (!data) return <ListSkeleton />
  return <Events scope={scope} cursor={cursor} page={data} isFormer={isPlaceholderData} />
}

interface EventsProps {
  scope: ScopeName
  cursor: number | undefined
  page: { items: readonly HookEvent[]; next: number | null }
  /** Whether these rows belong to the previous page, while the current one is being fetched. */
  isFormer: boolean
}

function Events({ scope, cursor, page, isFormer }: EventsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const [selected, select] = useAddressId('event')
  const stable = useStableRows(
    page.items,
    isFormer ? 'former' : String(cursor),
    () => selected === undefined && !isBeingUsed(list.current),
  )
  if (stable.rows.length === 0 && !stable.isBehind && selected === undefined) {
    return (
      <EmptyState icon={HistoryIcon} title="No events yet">
        <p>Events that webhooks can receive, such as pushes and new repositories, will appear here.</p>
      </EmptyState>
    )
  }
  // A shared link opens its event, even if it is no longer on this page.
  const isElsewhere = selected !== undefined && !stable.rows.some(({ id }) => id === selected)
  return (
    <div ref={list} aria-busy={isFormer}>
      <FreshButton rows={stable} one="event" many="events" />
      {isElsewhere ? <EventElsewhere scope={scope} id={selected} onClose={() => select(undefined)} /> : null}
      <ListFrame label="Events">
        {stable.rows.map(event => (
          <EventRow
            key={event.id}
            scope={scope}
            event={event}
            isOpen={event.id === selected}
            onToggle={isOpen => select(isOpen ? event.id : undefined)}
          />
        ))}
      </ListFrame>
      <CursorPager label="Pages of events" cursor={cursor} next={page.next} />
    </div>
  )
}

interface EventElsewhereProps {
  scope: ScopeName
  id: number
  onClose: () => void
}

function EventElsewhere({ scope, id, onClose }: EventElsewhereProps): ReactNode {
  const { data, error } = useQuery(hookEventQuery(scope, id))
  if (error) {
    return (
      <p role="alert" className={styles.elsewhere}>
        {readFailure(error).kind === 'notFound'
          ? 'This event doesn’t exist or is no longer stored.'
          : readFailure(error).message}
      </p>
    )
  }
  if (!data) return null
  return (
    <div className={styles.elsewhere}>
      <ListFrame label="Linked event">
        <EventRow scope={scope} event={data} isOpen onToggle={onClose} />
      </ListFrame>
    </div>
  )
}

interface EventRowProps {
  scope: ScopeName
  event: HookEvent
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

function EventRow({ scope, event, isOpen, onToggle }: EventRowProps): ReactNode {
  const { id, summary, type, actor, repository, created_at: at } = event
  const shown = visibleLine(summary)
  return (
    <DisclosureRow
      name={shown}
      isOpen={isOpen}
      onToggle={() => onToggle(!isOpen)}
      summary={
        <>
          <p className={styles.summary}>
            <bdi>{shown}</bdi>
          </p>
          <p className={styles.facts}>
            <code>{type}</code>
            {repository ? (
              <span>
                in <RepositoryLink repository={repository} inline />
              </span>
            ) : null}
            {actor ? (
              <span>
                by{' '}
                <QuietLink href={`/${actor.login}`} inline>
                  {actor.login}
                </QuietLink>
              </span>
            ) : null}
            <RelativeDate value={at} />
          </p>
        </>
      }
      aside={<EventOutcome event={event} />}
    >
      <Considered scope={scope} id={id} />
    </DisclosureRow>
  )
}

function EventOutcome({ event }: { event: HookEvent }): ReactNode {
  switch (event.state) {
    case 'waiting':
      return <Label variant="accent">Waiting</Label>
    case 'no_webhooks':
      return <Label variant="secondary">No webhooks</Label>
    case 'expired':
      return <Label variant="secondary">Log expired</Label>
    case 'considered':
      return (['delivered', 'pending', 'failed', 'skipped'] as const)
        .filter(outcome => event[outcome] > 0)
        .map((outcome, at) => {
          const { text, variant } = outcomes[outcome]
          const count = at === 0 ? counted(event[outcome], 'webhook', 'webhooks') : event[outcome]
          return <Label key={outcome} variant={variant}>{`${text}: ${count}`}</Label>
        })
  }
}

/** Lists each hook that the event could have been sent to, with the decision. */
function Considered({ scope, id }: { scope: ScopeName; id: number }): ReactNode {
  const { data, error } = useQuery(hookEventQuery(scope, id))
  const isUnnamed = data?.considered.some(({ hook }) => hook.name === '') ?? false
  // Hooks without a name are distinguished by the rest of their URL, but not everyone who reads this page can
  // see it.
  const { data: all } = useQuery({ ...allHooksQuery(scope), enabled: isUnnamed })
  const queryClient = useQueryClient()
  // The hooks' topics report changes of the deliveries.
  const sentTo = data?.considered.filter(({ delivery }) => delivery) ?? []
  useLive(
    hookTopics(sentTo.map(({ hook }) => hook)),
    () => void queryClient.invalidateQueries({ queryKey: hookEventQuery(scope, id).queryKey }),
  )
  if (error) return <p role="alert">{readFailure(error).message}</p>
  if (!data) return <ListSkeleton rows={1} />
  return (
    <>
      <p>{data.explanation}</p>
      {data.considered.length === 0 ? null : (
        <ul className={styles.hooks} aria-label="Webhooks">
          {deliveredFirst(data.considered).map(considered => (
            <ConsideredRow
              key={considered.hook.id}
              scope={scopeOfHook(scope, considered, data)}
              considered={considered}
              title={hookTitle(all?.find(hook => hook.id === considered.hook.id) ?? considered.hook)}
              eventId={id}
            />
          ))}
        </ul>
      )}
    </>
  )
}

/**
 * Returns the scope with the hook's pages, which is its repository for a repository hook. Undefined if
 * unknown.
 */
function scopeOfHook(
  scope: ScopeName,
  { hook }: ConsideredHook,
  { repository }: HookEvent,
): ScopeName | undefined {
  if (hook.scope === 'repository' && repository) {
    const [owner = '', repo = ''] = repository.full_name.split('/')
    return { kind: hook.scope, owner, repo }
  }
  return scope.kind === 'site' && hook.scope === 'owner' ? undefined : scope
}

const deliveredFirst = (considered: readonly ConsideredHook[]): ConsideredHook[] => [
  ...considered.filter(({ outcome }) => outcome === 'queued'),
  ...considered.filter(({ outcome }) => outcome !== 'queued'),
]

interface ConsideredRowProps {
  scope: ScopeName | undefined
  considered: ConsideredHook
  title: string
  eventId: number
}

function ConsideredRow({ scope, considered, title, eventId }: ConsideredRowProps): ReactNode {
  const { hook, outcome, explanation, delivery } = considered
  return (
    <li className={styles.hook}>
      <div className={styles.decided}>
        {scope ? (
          <span className={styles.name} title={title}>
            <bdi>
              <QuietLink href={hooksPath(scope, hook.id)}>{title}</QuietLink>
            </bdi>
          </span>
        ) : (
          <span className={styles.name} title={title}>
            <bdi>{title}</bdi>
          </span>
        )}
        <Outcome outcome={outcome} delivery={delivery} />
      </div>
      <p className={styles.why}>
        <bdi>{visibleLine(explanation)}</bdi>
        {delivery?.next_attempt_at ? (
          <>
            {' '}
            Next attempt <RelativeDate value={delivery.next_attempt_at} future />.
          </>
        ) : null}
        {scope ? (
          <>
            {' '}
            {delivery ? (
              <QuietLink href={hooksPath(scope, `${hook.id}/deliveries?delivery=${delivery.id}`)} inline>
                View delivery
              </QuietLink>
            ) : (
              <QuietLink href={hooksPath(scope, `${hook.id}/deliveries?dry-run=${eventId}`)} inline>
                Preview request
              </QuietLink>
            )}
          </>
        ) : null}
      </p>
    </li>
  )
}

const outcomes = {
  delivered: { text: 'Delivered', variant: 'success' },
  pending: { text: 'Pending', variant: 'accent' },
  failed: { text: 'Failed', variant: 'danger' },
  skipped: { text: 'Skipped', variant: 'secondary' },
  later: { text: 'Created later', variant: 'secondary' },
  queued: { text: 'Log expired', variant: 'secondary' },
} as const

function Outcome({ outcome, delivery }: Pick<ConsideredHook, 'outcome' | 'delivery'>): ReactNode {
  const { text, variant } = outcomes[delivery?.status ?? outcome]
  return <Label variant={variant}>{text}</Label>
}
