'use client'
import type { ReactNode } from 'react'
import { GearIcon, ListUnorderedIcon } from '@/app/_components/icons'
import { Trail } from '@/app/_components/page-heading'
import { Tabs } from '@/app/_components/tabs'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { hooksPath } from './hook-paths'
import { StateLabel, StateNotice } from './hook-state'
import { hookTitle, shortAddress } from './hook-title'
import styles from './hooks.module.css'
import { typeName } from './type-labels'

interface HookFrameProps {
  scope: ScopeName
  hook: ManagedHook
  tab: 'settings' | 'deliveries'
  children: ReactNode
}

/** Frame of a hook's pages, with its title, state, and tabs. */
export function HookFrame({ scope, hook, tab, children }: HookFrameProps): ReactNode {
  const { id, type } = hook
  const title = hookTitle(hook)
  const Title = headingLevel(scope) === 1 ? 'h1' : 'h2'
  const tabs = [
    { href: hooksPath(scope, id), label: 'Settings', Icon: GearIcon, current: tab === 'settings' },
    {
      href: hooksPath(scope, `${id}/deliveries`),
      label: 'Deliveries',
      Icon: ListUnorderedIcon,
      current: tab === 'deliveries',
    },
  ]
  return (
    <>
      <Trail
        steps={[
          { href: hooksPath(scope), label: 'Webhooks' },
          { href: hooksPath(scope, id), label: title.length > 60 ? `${title.slice(0, 59)}…` : title },
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
      <StateNotice scope={scope} hook={hook} />
      {children}
    </>
  )
}
