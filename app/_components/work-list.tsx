'use client'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { pageSizes } from '@/app/_lib/list-choice'
import { isShortcut } from '@/app/_lib/shortcut'
import { toast } from '@/app/_lib/toast'
import type { ListState } from '@/app/_lib/use-list-choice'
import type { ListRows } from '@/app/_lib/use-list-rows'
import { HoldSelection, type Selection, useSelection } from '@/app/_lib/use-selection'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import { Banner } from './banner'
import boxStyles from './box.module.css'
import { ChoiceField, SearchField } from './choice-fields'
import { EmptyState } from './empty-state'
import { kitClasses } from './kit-classes'
import { Button, Checkbox } from './primer'
import type { SelectionBarProps } from './selection-bar'
import styles from './work-list.module.css'

// Loaded on demand, because most lists have a single page.
const ListFoot = lazy(async () => ({ default: (await import('./list-foot')).ListFoot }))
const loadSelectionBar = async () => (await import('./selection-bar')).SelectionBar
// Loaded once someone uses the page, because nothing can be selected before.
onFirstUse(() => void loadSelectionBar().catch(() => undefined))

type Id = number | string

interface WorkListProps<T> {
  /** Title of the list, such as "Members". */
  title: string
  /** Singular noun for a row, such as "member". */
  noun: string
  list: ListState
  rows: ListRows<T>
  idOf: (row: T) => Id
  /** Accessible name of a row. */
  nameOf: (row: T) => string
  /** Renders a row. `check` is the row's checkbox, which belongs at its start. */
  row: (row: T, check: ReactNode) => ReactNode
  /** Shown if the list is empty without any filter. */
  empty: ReactNode
  icon: Parameters<typeof EmptyState>[0]['icon']
  /** Action for all rows, whether selected or not. */
  forAll?: ReactNode
  /** Actions for several selected rows. */
  bulk?: BulkActions<T> | undefined
}

/** Actions for several selected rows. */
interface BulkActions<T> {
  /** Whether this row can be selected. */
  takes: (row: T) => boolean
  actions: (rows: readonly T[], done: () => void) => ReactNode
}

/**
 * List with a filter, sort order, pager, and selection. Everything works by keyboard, and the state is part
 * of the page's URL.
 */
export function WorkList<T>(props: WorkListProps<T>): ReactNode {
  const { title, noun, list, rows, idOf, nameOf, row, empty, icon, forAll, bulk } = props
  const { found, isFormer, error, retry } = rows
  const region = useRef<HTMLElement>(null)
  useRowKeys(region)
  const takes = (item: T): boolean => bulk?.takes(item) ?? false
  const [isHeld, hold] = useState(false)
  const selection = useSelection(shownOf(list, rows), { idOf, takes }, isHeld)
  const { selected } = selection
  const failure = error ? <ListFailure title={title} error={error} onRetry={retry} /> : null
  // There is no response only if the first fetch failed, because the page usually provides the first rows.
  if (!found) return failure
  const isComing = isFormer && error === null
  const isWhole = !list.isNarrowed && !isFormer
  if (found.total === 0 && isWhole) {
    return (
      <>
        {failure}
        {empty}
      </>
    )
  }
  const choosable = found.items.filter(takes)
  const isChoosing = choosable.length > 0 || selected.length > 0
  const checkOf = (item: T): ReactNode =>
    takes(item) ? (
      <input
        type="checkbox"
        className={`${kitClasses.checkboxInput} ${kitClasses.checkbox}`}
        checked={selection.has(item)}
        aria-label={`Select ${nameOf(item)}`}
        onChange={() => undefined}
        onClick={event => selection.toggle(item, event)}
      />
    ) : isChoosing ? (
      <span className={styles.uncheckable} />
    ) : null
  const turnTo = (page: number): void => {
    list.turnTo(page)
    const { current: box } = region
    if (box && box.getBoundingClientRect().top < 0) box.scrollIntoView({ block: 'start' })
  }

  return (
    <>
      {found.total > 1 || !isWhole ? <ListTools list={list} noun={noun} /> : null}
      {failure}
      <p role="status" className="visually-hidden">
        {isFormer ? '' : countOf(found.total, props)}
      </p>
      {/* Grouped, so that the focus returns to the list when the selection bar disappears. */}
      <div>
        <div className={isComing ? styles.former : undefined} aria-busy={isComing}>
          {found.total === 0 ? (
            <EmptyState
              icon={icon}
              title={`No matching ${inSentence(title)}`}
              action={<Button onClick={list.clear}>Show all</Button>}
            >
              {list.choice.q ? <p>{`Nothing in this list matches “${list.choice.q}”.`}</p> : null}
            </EmptyState>
          ) : (
            <section className={boxStyles.box} aria-label={title} ref={region}>
              <div className={boxStyles.head}>
                {choosable.length > 0 ? <SelectAll rows={choosable} selection={selection} /> : null}
                <h2 className={boxStyles.title}>
                  {list.isNarrowed ? `Matching ${inSentence(title)}` : title}
                </h2>
                <span className={boxStyles.count}>{found.total.toLocaleString('en-US')}</span>
                {forAll ? <div className={boxStyles.forAll}>{forAll}</div> : null}
              </div>
              <ul>{found.items.map(item => row(item, checkOf(item)))}</ul>
            </section>
          )}
        </div>
        <p role="status" className="visually-hidden">
          {selected.length > 0 ? `${counted(selected.length, noun, inSentence(title))} selected` : ''}
        </p>
        {bulk && selected.length > 0 ? (
          <LazySelectionBar selection={selection} here={found.items.filter(selection.has).length}>
            <HoldSelection value={hold}>{bulk.actions(selected, selection.clear)}</HoldSelection>
          </LazySelectionBar>
        ) : null}
      </div>
      {found.total > pageSizes[0] || found.page > 1 ? (
        <Suspense>
          <ListFoot
            label={`Pages of ${inSentence(title)}`}
            list={{ ...list, turnTo }}
            found={found}
            isFormer={isFormer}
          />
        </Suspense>
      ) : null}
    </>
  )
}

function LazySelectionBar(props: SelectionBarProps): ReactNode {
  const SelectionBar = useLazyComponent(loadSelectionBar, true, error =>
    toast.error(readFailure(error).message),
  )
  return SelectionBar ? <SelectionBar {...props} /> : null
}

/**
 * Returns the shown part of the list in the form that `useSelection` takes: the filters identify the list,
 * and the page number and sort order identify the page.
 */
function shownOf<T>(
  { spec, choice }: ListState,
  { found, isFormer }: ListRows<T>,
): Parameters<typeof useSelection<T>>[0] {
  const narrowing = ['q', ...Object.keys(spec.filters)].map(name => choice[name])
  return {
    narrowing: JSON.stringify(narrowing),
    page: JSON.stringify(choice),
    rows: isFormer ? undefined : found?.items,
    total: found?.total ?? 0,
  }
}

/** Returns the number of rows as text for screen readers. */
function countOf<T>(total: number, { title, noun, list }: WorkListProps<T>): string {
  const count = counted(total, noun, inSentence(title))
  if (!list.isNarrowed) return count
  return total === 1 ? `${count} matches` : `${count} match`
}

interface ListFailureProps {
  title: string
  error: Error
  onRetry: () => void
}

/** Explains why a list could not be refreshed. Loaded rows remain below. */
function ListFailure({ title, error, onRetry }: ListFailureProps): ReactNode {
  return (
    <div role="alert" className={styles.failure}>
      <Banner
        variant="critical"
        title={`Couldn’t load ${inSentence(title)}`}
        description={
          <>
            <p>{readFailure(error).message}</p>
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          </>
        }
      />
    </div>
  )
}

const inSentence = (title: string): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

function SelectAll<T>({ rows, selection }: { rows: readonly T[]; selection: Selection<T> }): ReactNode {
  const count = rows.filter(selection.has).length
  return (
    <Checkbox
      checked={count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      aria-label="Select all on this page"
      onChange={() => selection.toggleAll(rows)}
    />
  )
}

const article = (noun: string): string => (/^[aeio]/.test(noun) ? 'an' : 'a')

/** Filters and sort order of a list. */
function ListTools({ list, noun }: { list: ListState; noun: string }): ReactNode {
  const { spec, choice, change } = list
  return (
    <search className={styles.tools}>
      <div className={styles.filter}>
        <SearchField
          label={`Find ${article(noun)} ${noun}`}
          q={choice.q}
          pauseMs={150}
          follow={q => change({ q })}
        />
      </div>
      {Object.entries(spec.filters).map(([name, { label, options }]) => (
        <ChoiceField
          key={name}
          label={label}
          value={String(choice[name])}
          options={options}
          onSelect={value => change({ [name]: value })}
        />
      ))}
      <ChoiceField
        label="Sort by"
        value={choice.sort}
        options={spec.sorts}
        onSelect={sort => change({ sort })}
      />
    </search>
  )
}

/** Makes `j` and `k` move the focus down and up the rows, and `x` select the focused one. */
function useRowKeys(region: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      const { key } = event
      if (!region.current || !['j', 'k', 'x'].includes(key) || !isShortcut(event)) return
      const rows = [...region.current.querySelectorAll(':scope > ul > li')]
      const here = rows.findIndex(row => row.contains(document.activeElement))
      const next = rows[key === 'j' ? here + 1 : Math.max(0, here - 1)]
      if (key === 'x') rows[here]?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
      else next?.querySelector<HTMLElement>('a[href], button, input')?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [region])
}
