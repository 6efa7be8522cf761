'use client'
import { GearIcon, ListUnorderedIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Trail } from '@/app/_components/page-heading'
import { Tabs } from '@/app/_components/tabs'
import { headingLevel } from '@/app/_features/places/place-paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { PlaceName } from '@/server/places/schema'
import { hooksPath } from './hook-place'
import { StateLabel, StateNotice } from './hook-state'
import { hookTitle, shortAddress } from './hook-title'
import styles from './hooks.module.css'
import { typeName } from './type-labels'

interface HookFrameProps {
  place: PlaceName
  hook: ManagedHook
  tab: 'settings' | 'deliveries'
  children: ReactNode
}

/** What every page of one hook stands in: which it is, how it is, and its other page. */
export function HookFrame({ place, hook, tab, children }: HookFrameProps): ReactNode {
  const { id, type } = hook
  const title = hookTitle(hook)
  const Title = headingLevel(place) === 1 ? 'h1' : 'h2'
  const tabs = [
    { href: hooksPath(place, id), label: 'Settings', Icon: GearIcon, current: tab === 'settings' },
    {
      href: hooksPath(place, `${id}/deliveries`),
      label: 'Deliveries',
      Icon: ListUnorderedIcon,
      current: tab === 'deliveries',
    },
  ]
  return (
    <>
      <Trail
        steps={[
          { href: hooksPath(place), label: 'Webhooks' },
          { href: hooksPath(place, id), label: title.length > 60 ? `${title.slice(0, 59)}…` : title },
        ]}
      />
      <div className={styles.heading}>
        <Title className={styles.title} title={visibleLine(hook.name || hook.url)}>
          <bdi>{title}</bdi>
        </Title>
        <StateLabel hook={hook} />
      </div>
      <p className={styles.about}>
        {typeName(type)}
        {hook.name ? (
          <>
            {' · '}
            <span title={visibleLine(hook.url)}>{shortAddress(hook)}</span>
          </>
        ) : null}
      </p>
      <div className={styles.tabs}>
        <Tabs label="Webhook" tabs={tabs} />
      </div>
      <StateNotice place={place} hook={hook} />
      {children}
    </>
  )
}
