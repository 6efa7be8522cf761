'use client'
import { WebhookIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { hooksQuery } from '@/app/_lib/queries'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { HookPlaceName } from '@/server/hooks/schema'
import { eventsInWords } from './event-words'
import { exampleCall } from './example-call'
import { HealthBar } from './health-bar'
import styles from './hook-list.module.css'
import { hooksPath } from './hook-place'
import { disabledWords, hookHost, hookTitle, StateLabel } from './hook-state'
import { typeName } from './type-words'

interface HookListProps {
  place: HookPlaceName
  page: number
  baseUrl: string
}

/** The hooks of one place, and how each fares. */
export function HookList({ place, page, baseUrl }: HookListProps): ReactNode {
  const { data } = useQuery({ ...hooksQuery(place, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  if (data.total === 0) return <NoHooks place={place} baseUrl={baseUrl} />
  return (
    <>
      <ListBox title="Webhooks" total={data.total}>
        {data.items.map(hook => (
          <HookRow key={hook.id} place={place} hook={hook} />
        ))}
      </ListBox>
      <Pager label="Pages of webhooks" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

function NoHooks({ place, baseUrl }: Pick<HookListProps, 'place' | 'baseUrl'>): ReactNode {
  return (
    <EmptyState
      icon={WebhookIcon}
      title="No webhooks yet"
      action={
        <ButtonLink href={hooksPath(place, 'new')} variant="primary">
          New webhook
        </ButtonLink>
      }
    >
      <p>A webhook tells a program or a chat of yours what happens here, the moment it happens.</p>
      <p>Programs make one by a call:</p>
      <CommandLine command={exampleCall(place, baseUrl)} />
    </EmptyState>
  )
}

interface HookRowProps {
  place: HookPlaceName
  hook: BrowsedHook
}

function HookRow({ place, hook }: HookRowProps): ReactNode {
  const { id, name, type, scope, disabled_reason: reason, events, branch_filter: filter } = hook
  return (
    <ListRow visual={<WebhookIcon size={24} />}>
      <div className={styles.row}>
        <div className={styles.words}>
          <div className={styles.title}>
            <strong className={styles.name} dir="auto">
              <QuietLink href={hooksPath(place, id)}>{hookTitle(hook)}</QuietLink>
            </strong>
            <StateLabel hook={hook} />
            {scope === 'owner' || scope === 'repository' ? null : (
              <Label variant="secondary">
                {scope === 'system' ? 'Every repository' : 'New repositories'}
              </Label>
            )}
          </div>
          <RowFacts>
            {type === 'gitea' ? null : <span>{typeName(type)}</span>}
            {name ? <span dir="auto">{hookHost(hook)}</span> : null}
            <span>{eventsInWords(events)}</span>
            {filter === '' || filter === '*' || filter === '**' ? null : (
              <span>
                Branches <code dir="auto">{filter}</code>
              </span>
            )}
          </RowFacts>
          {reason === null ? null : <p className={styles.problem}>{disabledWords[reason]}</p>}
        </div>
        <div className={styles.health}>
          <HealthBar outcomes={hook.health.outcomes} />
          <p className={styles.last}>
            <LastDelivery place={place} hook={hook} />
          </p>
        </div>
      </div>
    </ListRow>
  )
}

function LastDelivery({ place, hook: { id, health } }: HookRowProps): ReactNode {
  const { last, pending } = health
  if (last === null) return 'Nothing sent yet'
  return (
    <>
      <QuietLink href={hooksPath(place, `${id}/deliveries`)} inline>
        Last delivery
      </QuietLink>{' '}
      {last.status}
      {last.code === null ? '' : `, answered with ${last.code}`}, <RelativeDate value={last.at} />
      {pending === 0 ? null : ` · ${pending < 1000 ? pending : '1,000 and more'} pending`}
    </>
  )
}
