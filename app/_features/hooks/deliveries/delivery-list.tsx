'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { ListFrame } from '@/app/_components/box'
import { CursorPager } from '@/app/_components/cursor-pager'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { FreshButton } from '@/app/_components/fresh-button'
import { PaperAirplaneIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { hooksPath } from '@/app/_features/hooks/hook-paths'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import type { HookName } from '@/app/_lib/queries/hooks'
import { useAddressId } from '@/app/_lib/use-address-param'
import { isBeingUsed, useStableRows } from '@/app/_lib/use-stable-rows'
import { visibleLine } from '@/app/_lib/visible-text'
import type { HookDelivery } from '@/server/hooks/log/schema'
import type { DeliveryChoice } from './delivery-choice'
import styles from './delivery-list.module.css'
import { StatusSign } from './delivery-status'
import { DeliveryViewer } from './delivery-viewer'
import { deliveriesQuery, deliveryQuery } from './queries'
import { durationText } from './request-text'

interface DeliveryListProps {
  hook: HookName
  choice: DeliveryChoice
}

/** Lists a hook's sent and pending deliveries, newest first. The open one is part of the page's URL. */
export function DeliveryList({ hook, choice }: DeliveryListProps): ReactNode {
  const { data, isPlaceholderData } = useQuery({
    ...deliveriesQuery(hook, choice),
    placeholderData: keepPreviousData,
  })
  if (!data) return <ListSkeleton />
  return <Deliveries hook={hook} choice={choice} page={data} isFormer={isPlaceholderData} />
}

interface DeliveriesProps extends DeliveryListProps {
  page: { items: readonly HookDelivery[]; next: number | null }
  /** Whether the page belongs to earlier filters, while the current one is being fetched. */
  isFormer: boolean
}

function Deliveries({ hook, choice, page, isFormer }: DeliveriesProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const [opened, open] = useAddressId('delivery')
  const stable = useStableRows(
    page.items,
    isFormer ? 'former' : JSON.stringify(choice),
    // New rows would close the delivery that someone is reading.
    () => opened === undefined && !isBeingUsed(list.current),
  )
  if (stable.rows.length === 0 && !stable.isBehind && opened === undefined)
    return <NoDeliveries hook={hook} choice={choice} />
  const isElsewhere = opened !== undefined && !stable.rows.some(({ id }) => id === opened)
  return (
    <div ref={list} aria-busy={isFormer}>
      <FreshButton rows={stable} one="delivery" many="deliveries" />
      {isElsewhere ? <DeliveryElsewhere hook={hook} id={opened} onClose={() => open(undefined)} /> : null}
      <ListFrame label="Deliveries">
        {stable.rows.map(delivery => (
          <DeliveryRow
            key={delivery.id}
            hook={hook}
            delivery={delivery}
            isOpen={delivery.id === opened}
            onToggle={isOpen => open(isOpen ? delivery.id : undefined)}
          />
        ))}
      </ListFrame>
      <CursorPager label="Pages of deliveries" cursor={choice.cursor} next={page.next} />
    </div>
  )
}

function NoDeliveries({ hook, choice }: DeliveryListProps): ReactNode {
  const isFiltered = choice.status !== '' || choice.event !== '' || choice.since !== ''
  return isFiltered ? (
    <EmptyState
      icon={PaperAirplaneIcon}
      title="No matching deliveries"
      action={
        <ButtonLink href={hooksPath(hook.scope, `${hook.id}/deliveries`)}>Show all deliveries</ButtonLink>
      }
    >
      <p>No deliveries match these filters.</p>
    </EmptyState>
  ) : (
    <EmptyState icon={PaperAirplaneIcon} title="No deliveries yet">
      <p>Send a ping to check that the receiver responds. Deliveries appear here as they happen.</p>
    </EmptyState>
  )
}

interface DeliveryElsewhereProps {
  hook: HookName
  id: number
  onClose: () => void
}

/** Shows the delivery in the page's URL if it is not on this page of the list. */
function DeliveryElsewhere({ hook, id, onClose }: DeliveryElsewhereProps): ReactNode {
  const { data, error } = useQuery(deliveryQuery(hook, id))
  if (error) {
    const { kind, message } = readFailure(error)
    return (
      <p role="alert" className={styles.elsewhere}>
        {kind === 'notFound' ? 'This delivery doesn’t exist or is no longer stored.' : message}
      </p>
    )
  }
  if (!data) return null
  return (
    <div className={styles.elsewhere}>
      <ListFrame label="Linked delivery">
        <DeliveryRow hook={hook} delivery={data} isOpen onToggle={onClose} />
      </ListFrame>
    </div>
  )
}

interface DeliveryRowProps {
  hook: HookName
  delivery: HookDelivery
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

const kindLabels = { event: undefined, test: 'Test', ping: undefined }
const statusLabels = { delivered: 'Delivered', pending: 'Pending', failed: 'Failed' }

function DeliveryRow({ hook, delivery, isOpen, onToggle }: DeliveryRowProps): ReactNode {
  const { id, kind, event_type, sequence, status, created_at, attempt_count, duration } = delivery
  return (
    <DisclosureRow
      name={`${statusLabels[status]} delivery ${sequence}, ${event_type}`}
      isOpen={isOpen}
      onToggle={() => onToggle(!isOpen)}
      summary={
        <>
          <p className={styles.title}>
            <StatusSign status={status} />
            <code className={styles.event}>{event_type}</code>
            {kindLabels[kind] ? <Label variant="secondary">{kindLabels[kind]}</Label> : null}
          </p>
          <p className={styles.facts}>
            <span>{`#${sequence.toLocaleString('en-US')}`}</span>
            <RelativeDate value={created_at} />
            {attempt_count > 0 ? <span>{counted(attempt_count, 'attempt', 'attempts')}</span> : null}
            {duration === null ? null : <span>{durationText(duration)}</span>}
            <NextAttempt delivery={delivery} />
          </p>
        </>
      }
      aside={<Answer delivery={delivery} />}
    >
      <DeliveryViewer hook={hook} id={id} />
    </DisclosureRow>
  )
}

/** Shows when a pending delivery will be attempted next. */
export function NextAttempt({ delivery }: { delivery: HookDelivery }): ReactNode {
  const { next_attempt_at: next, attempt_count: attempts } = delivery
  if (next === null) return null
  return (
    <span>
      {attempts === 0 ? 'First attempt ' : 'Next attempt '}
      <RelativeDate value={next} future />
    </span>
  )
}

/** Label with the receiver's last status code, or the reason why there was no response. */
function Answer({
  delivery: { status, status_code: code, error, attempt_count: attempts },
}: {
  delivery: HookDelivery
}): ReactNode {
  if (status === 'delivered') return code === null ? null : <Label variant="success">{code}</Label>
  // A successful status code does not mean that the response was complete.
  if (code !== null && (code < 200 || code > 299)) return <Label variant="danger">{code}</Label>
  if (attempts === 0) return null
  return <Label variant="danger">{visibleLine(beginningOf(error ?? 'no response'))}</Label>
}

/** Returns what failed, without the details that follow. */
const beginningOf = (error: string): string => error.split(':', 1)[0]?.slice(0, 40) ?? error
