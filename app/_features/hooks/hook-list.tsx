'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { SearchIcon, WebhookIcon } from '@/app/_components/icons'
import { ButtonLink, TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { FormControl, TextInput } from '@/app/_components/primer'
import { counted } from '@/app/_lib/format'
import { allHooksQuery, hooksQuery } from '@/app/_lib/queries/hooks'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { passesFilter } from './hook-filter'
import styles from './hook-list.module.css'
import { hooksDocsPath, hooksPath } from './hook-paths'
import { HookRow } from './hook-row'

interface HookListProps {
  scope: ScopeName
  page: number
}

// Up to this many webhooks are easy to scan without a filter.
const maxUnfiltered = 8

/** Lists a scope's hooks with their health. */
export function HookList({ scope, page }: HookListProps): ReactNode {
  const { data } = useQuery({ ...hooksQuery(scope, page), placeholderData: keepPreviousData })
  const [filter, setFilter] = useState('')
  if (!data) return <ListSkeleton />
  const { items, total, limit } = data
  if (total === 0) return <NoHooks scope={scope} />
  const isFiltered = filter.trim() !== '' && total > maxUnfiltered
  return (
    <>
      {total > maxUnfiltered ? <FilterBox filter={filter} onFilter={setFilter} /> : null}
      {isFiltered ? (
        <FoundHooks scope={scope} filter={filter} known={items.length === total ? items : undefined} />
      ) : (
        <>
          <HookBox scope={scope} hooks={items} total={total} />
          <Pager label="Pages of webhooks" page={page} limit={limit} total={total} />
        </>
      )}
    </>
  )
}

interface FilterBoxProps {
  filter: string
  onFilter: (filter: string) => void
}

function FilterBox({ filter, onFilter }: FilterBoxProps): ReactNode {
  const hydrated = useHydrated()
  return (
    <search className={styles.filter}>
      <FormControl>
        <FormControl.Label visuallyHidden>Filter webhooks</FormControl.Label>
        <TextInput
          block
          type="search"
          leadingVisual={SearchIcon}
          placeholder="Filter by name, URL, type, event, or state"
          autoComplete="off"
          readOnly={!hydrated}
          value={filter}
          onChange={event => onFilter(event.target.value)}
        />
      </FormControl>
    </search>
  )
}

interface FoundHooksProps {
  scope: ScopeName
  filter: string
  /** All hooks of the scope, if they fit on one page. */
  known: readonly BrowsedHook[] | undefined
}

function FoundHooks({ scope, filter, known }: FoundHooksProps): ReactNode {
  const { data } = useQuery({ ...allHooksQuery(scope), enabled: known === undefined })
  const all = known ?? data
  if (!all) return <ListSkeleton />
  const found = all.filter(hook => passesFilter(hook, filter))
  return (
    <>
      <p role="status" className="visually-hidden">
        {counted(found.length, 'webhook matches', 'webhooks match')}
      </p>
      {found.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No matching webhooks">
          <p>No webhooks match this filter.</p>
        </EmptyState>
      ) : (
        <HookBox scope={scope} hooks={found} total={found.length} />
      )}
    </>
  )
}

interface HookBoxProps {
  scope: ScopeName
  hooks: readonly BrowsedHook[]
  total: number
}

function HookBox({ scope, hooks, total }: HookBoxProps): ReactNode {
  return (
    <ListBox title="Webhooks" total={total}>
      {hooks.map(hook => (
        <HookRow key={hook.id} scope={scope} hook={hook} />
      ))}
    </ListBox>
  )
}

function NoHooks({ scope }: Pick<HookListProps, 'scope'>): ReactNode {
  return (
    <EmptyState icon={WebhookIcon} title="No webhooks yet">
      <p>Webhooks notify your services and chats when events occur.</p>
      <div>
        <ButtonLink href={hooksPath(scope, 'new')} variant="primary">
          New webhook
        </ButtonLink>
      </div>
      <p>
        You can also{' '}
        <TextLink href={hooksDocsPath(scope)} inline>
          use the API
        </TextLink>
        .
      </p>
    </EmptyState>
  )
}
