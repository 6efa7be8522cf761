'use client'
import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { cappedCount } from './capped-count'
import { eventsLabel } from './event-labels'
import { HealthBar } from './health-bar'
import { hooksPath } from './hook-paths'
import styles from './hook-row.module.css'
import { disabledText, StateLabel } from './hook-state'
import { hookTitle, shortAddress } from './hook-title'
import { typeName } from './type-labels'

interface HookRowProps {
  scope: ScopeName
  hook: BrowsedHook
}

/** Row of a hook in a list. Cut text is shown in full in a tooltip. */
export function HookRow({ scope, hook }: HookRowProps): ReactNode {
  const { id, name, type, url, disabled_reason: reason, events, branch_filter: filter } = hook
  const eventsText = eventsLabel(events)
  return (
    <li className={styles.row}>
      <div className={styles.eventsText}>
        <div className={styles.head}>
          <strong className={styles.title} title={visibleLine(name || url)}>
            <bdi>
              <QuietLink href={hooksPath(scope, id)}>{hookTitle(hook)}</QuietLink>
            </bdi>
          </strong>
          <StateLabel hook={hook} />
          {hook.scope === 'owner' || hook.scope === 'repository' ? null : (
            <Label variant="secondary">
              {hook.scope === 'system' ? 'Every repository' : 'New repositories'}
            </Label>
          )}
        </div>
        <p className={styles.facts}>
          {type === 'gitea' ? null : <span className={styles.whole}>{typeName(type)}</span>}
          {name ? <span title={visibleLine(url)}>{shortAddress(hook)}</span> : null}
          <span className={styles.events} title={eventsText}>
            {eventsText}
          </span>
          {filter === '' || filter === '*' || filter === '**' ? null : (
            <span title={visibleLine(filter)}>
              Branches{' '}
              <bdi>
                <code>{visibleLine(filter)}</code>
              </bdi>
            </span>
          )}
        </p>
        {reason === null ? null : <p className={styles.problem}>{disabledText[reason]}</p>}
      </div>
      <div className={styles.health}>
        {hook.health.outcomes === '' ? null : <HealthBar outcomes={hook.health.outcomes} />}
        <p className={styles.last}>
          <LastDelivery scope={scope} hook={hook} />
        </p>
      </div>
    </li>
  )
}

const lastText = { delivered: 'Delivered', pending: 'Pending', failed: 'Failed' }

function LastDelivery({ scope, hook: { id, health } }: HookRowProps): ReactNode {
  const { last, pending } = health
  if (last === null) return 'No deliveries yet'
  return (
    <>
      <QuietLink href={hooksPath(scope, `${id}/deliveries`)} inline>
        {lastText[last.status]}
        {last.code === null ? '' : ` (${last.code})`}
      </QuietLink>{' '}
      <RelativeDate value={last.at} />
      {pending === 0 || (pending === 1 && last.status === 'pending')
        ? ''
        : ` · ${cappedCount(pending)} pending`}
    </>
  )
}
