'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CheckCircleIcon, ClockIcon, ListUnorderedIcon, XCircleIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { QuerySelect } from '@/app/_components/query-controls'
import { Tabs } from '@/app/_components/tabs'
import { cappedCount } from '@/app/_features/hooks/capped-count'
import { eventLabel } from '@/app/_features/hooks/event-labels'
import { HealthBar } from '@/app/_features/hooks/health-bar'
import { HookFrame } from '@/app/_features/hooks/hook-frame'
import { hooksPath } from '@/app/_features/hooks/hook-paths'
import { LostHooks } from '@/app/_features/hooks/lost-hooks'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { idIn } from '@/app/_lib/paths'
import { type HookName, hookKey, hookQuery } from '@/app/_lib/queries/hooks'
import { useAddressParam } from '@/app/_lib/use-address-param'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import styles from './deliveries-screen.module.css'
import type { DeliveryChoice } from './delivery-choice'
import { DeliveryList } from './delivery-list'
import { DryRunPanel } from './dry-run-panel'
import { deliveryCountsQuery } from './queries'
import { ReplayButton } from './replay-button'
import { SendButtons } from './send-buttons'

interface DeliveriesScreenProps {
  hook: HookName
  choice: DeliveryChoice
}

/** Page of a hook's sent and pending deliveries and their actions. */
export function DeliveriesScreen({ hook, choice }: DeliveriesScreenProps): ReactNode {
  const { scope, id } = hook
  const { data, error } = useQuery(hookQuery(scope, id))
  const [dryRun, setDryRun] = useAddressParam('dry-run')
  const dryRunEvent = idIn(dryRun)
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive([{ topic: 'hook', id }], () => void queryClient.invalidateQueries({ queryKey: hookKey(hook) }))
  if (isLoss(error)) return <LostHooks scope={scope} what="this webhook" error={error} />
  if (!data) return <ListSkeleton />
  return (
    <HookFrame scope={scope} hook={data} tab="deliveries">
      <div className={styles.bar}>
        <div className={styles.health}>
          <HealthBar outcomes={data.health.outcomes} />
        </div>
        <div className={styles.actions}>
          <SendButtons hook={hook} />
          <Button size="small" onClick={() => setDryRun('newest')}>
            Dry run
          </Button>
          <ReplayButton hook={hook} />
        </div>
      </div>
      {dryRun === 'newest' || dryRunEvent !== undefined ? (
        <DryRunPanel hook={hook} eventId={dryRunEvent} onClose={() => setDryRun(undefined)} />
      ) : null}
      <DeliveryTabs hook={hook} choice={choice} />
      <Filters events={data.events} choice={choice} />
      <DeliveryList hook={hook} choice={choice} />
    </HookFrame>
  )
}

const tabs = [
  { status: '', label: 'All', Icon: ListUnorderedIcon },
  { status: 'delivered', label: 'Delivered', Icon: CheckCircleIcon },
  { status: 'pending', label: 'Pending', Icon: ClockIcon },
  { status: 'failed', label: 'Failed', Icon: XCircleIcon },
] as const

function DeliveryTabs({ hook, choice }: DeliveriesScreenProps): ReactNode {
  const { data: counts } = useQuery({ ...deliveryCountsQuery(hook), placeholderData: keepPreviousData })
  const hrefOf = (status: string): string => {
    const { event, since } = choice
    const params = new URLSearchParams(Object.entries({ status, event, since }).filter(([, value]) => value))
    const path = hooksPath(hook.scope, `${hook.id}/deliveries`)
    return params.size > 0 ? `${path}?${params}` : path
  }
  return (
    <Tabs
      label="Deliveries"
      tabs={tabs.map(({ status, label, Icon }) => ({
        href: hrefOf(status),
        label,
        Icon,
        current: status === choice.status,
        count: status === '' || !counts ? undefined : cappedCount(counts[status]),
      }))}
    />
  )
}

const times = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
]

function Filters({ events, choice }: { events: readonly string[]; choice: DeliveryChoice }): ReactNode {
  const offered = [...new Set([...events, ...(choice.event ? [choice.event] : []), 'ping'])]
  return (
    <div className={styles.filters}>
      <QuerySelect
        label="Event"
        name="event"
        value={choice.event}
        choices={[
          { value: '', label: 'All events' },
          ...offered.map(event => ({ value: event, label: eventLabel(event) })),
        ]}
      />
      <QuerySelect label="Time" name="since" value={choice.since} choices={times} />
    </div>
  )
}
