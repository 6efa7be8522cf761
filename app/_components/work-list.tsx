'use client'
import { SearchIcon } from '@primer/octicons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { pageSizes } from '@/app/_lib/list-choice'
import { isShortcut } from '@/app/_lib/shortcut'
import { useDebounced } from '@/app/_lib/use-debounced'
import { useHydrated } from '@/app/_lib/use-hydrated'
import type { ListState } from '@/app/_lib/use-list-choice'
import { type Selection, useSelection } from '@/app/_lib/use-selection'
import type { Page } from '@/server/kernel/pagination'
import boxStyles from './box.module.css'
import { EmptyState } from './empty-state'
import { Pager } from './pager'
import { Button, Checkbox, FormControl, Select, TextInput } from './primer'
import styles from './work-list.module.css'

type Id = number | string

interface WorkListProps<T> {
  /** What the list is of: "Members". */
  title: string
  /** One of them: "member". */
  noun: string
  list: ListState
  found: Page<T>
  idOf: (row: T) => Id
  /** What a row is called, for people who hear the page. */
  nameOf: (row: T) => string
  /** Draws a row; `check` stands at its beginning. */
  row: (row: T, check: ReactNode) => ReactNode
  /** Shown where there is nothing at all. */
  empty: ReactNode
  icon: Parameters<typeof EmptyState>[0]['icon']
  /** For all rows at once, whether chosen or not. */
  forAll?: ReactNode
  /** What can be done with several rows at once. */
  bulk?: BulkActions<T> | undefined
}

/** What can be done with several rows at once. */
interface BulkActions<T> {
  /** Whether this row can be chosen for it. */
  takes: (row: T) => boolean
  actions: (rows: readonly T[], done: () => void) => ReactNode
}

/** A list that people work with: filtered, sorted, paged and chosen from, all by keyboard too, with its state in the address. */
export function WorkList<T>(props: WorkListProps<T>): ReactNode {
  const { title, noun, list, found, idOf, nameOf, row, empty, icon, forAll, bulk } = props
  const region = useRef<HTMLElement>(null)
  useRowKeys(region)
  const choosable = bulk ? found.items.filter(bulk.takes) : []
  const selection = useSelection(choosable, idOf)
  if (found.total === 0 && !list.isNarrowed) return empty

  const checkOf = (item: T): ReactNode =>
    bulk?.takes(item) ? (
      <Checkbox
        checked={selection.has(item)}
        aria-label={`Choose ${nameOf(item)}`}
        onChange={() => undefined}
        onClick={event => selection.toggle(item, event)}
      />
    ) : bulk ? (
      <span className={styles.uncheckable} />
    ) : null

  return (
    <>
      {found.total > 1 || list.isNarrowed ? <ListTools list={list} noun={noun} /> : null}
      {found.total === 0 ? (
        <EmptyState
          icon={icon}
          title={`No ${noun} matches`}
          action={<Button onClick={list.clear}>Show all</Button>}
        >
          {list.choice.q ? <p>{`Nothing in this list has “${list.choice.q}” in it.`}</p> : null}
        </EmptyState>
      ) : (
        <section className={boxStyles.box} aria-label={title} ref={region}>
          <div className={boxStyles.head}>
            {bulk && choosable.length > 0 ? <ChooseAll rows={choosable} selection={selection} /> : null}
            <h2 className={boxStyles.title}>{list.isNarrowed ? `Matching ${inSentence(title)}` : title}</h2>
            <span className={boxStyles.count}>{found.total.toLocaleString('en-US')}</span>
            {forAll ? <div className={boxStyles.forAll}>{forAll}</div> : null}
          </div>
          <ul>{found.items.map(item => row(item, checkOf(item)))}</ul>
        </section>
      )}
      {bulk && selection.chosen.length > 0 ? (
        <fieldset className={styles.chosen} aria-label="With what is chosen">
          <span role="status">{`${selection.chosen.length} chosen${selection.isFull ? ', the most at once' : ''}`}</span>
          {bulk.actions(selection.chosen, selection.clear)}
          <Button size="small" variant="invisible" onClick={selection.clear}>
            Clear
          </Button>
        </fieldset>
      ) : null}
      <ListFoot title={title} list={list} found={found} />
    </>
  )
}

const inSentence = (title: string): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

function ChooseAll<T>({ rows, selection }: { rows: readonly T[]; selection: Selection<T> }): ReactNode {
  const count = rows.filter(selection.has).length
  return (
    <Checkbox
      checked={count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      aria-label="Choose all on this page"
      onChange={() => selection.toggleAll(rows)}
    />
  )
}

/** What narrows and orders a list. */
function ListTools({ list, noun }: { list: ListState; noun: string }): ReactNode {
  const { spec, choice, change } = list
  return (
    <search className={styles.tools}>
      <FilterField list={list} noun={noun} />
      {Object.entries(spec.filters).map(([name, { label, options }]) => (
        <Choice
          key={name}
          label={label}
          value={String(choice[name])}
          options={options}
          onChoose={value => change({ [name]: value })}
        />
      ))}
      <Choice label="Sort by" value={choice.sort} options={spec.sorts} onChoose={sort => change({ sort })} />
    </search>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label visuallyHidden>{label}</FormControl.Label>
      <Select value={value} onChange={event => onChoose(event.target.value)}>
        {options.map(option => (
          <Select.Option key={option.value} value={option.value}>
            {option.label}
          </Select.Option>
        ))}
      </Select>
    </FormControl>
  )
}

const typingMs = 150

function FilterField({ list, noun }: { list: ListState; noun: string }): ReactNode {
  const { q } = list.choice
  const hydrated = useHydrated()
  const [text, setText] = useState(q)
  const [shown, setShown] = useState(q)
  const settled = useDebounced(text.trim(), typingMs)
  // The address was changed by other means, such as the button that shows all.
  if (q !== shown) {
    setShown(q)
    if (q !== text.trim()) setText(q)
  }
  const follow = useEffectEvent((wanted: string) => {
    if (wanted !== q && wanted === text.trim()) list.change({ q: wanted })
  })
  useEffect(() => follow(settled), [settled])
  const clearOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault()
      setText('')
    }
  }
  const label = `Find ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
  return (
    <div className={styles.filter}>
      <FormControl>
        <FormControl.Label visuallyHidden>{label}</FormControl.Label>
        <TextInput
          block
          type="search"
          leadingVisual={SearchIcon}
          placeholder={label}
          autoComplete="off"
          maxLength={100}
          readOnly={!hydrated}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={clearOnEscape}
        />
      </FormControl>
    </div>
  )
}

function ListFoot<T>({ title, list, found }: Pick<WorkListProps<T>, 'title' | 'list' | 'found'>): ReactNode {
  const id = useId()
  // From a page that has nothing left the pager leads back.
  if (found.total <= pageSizes[0] && found.page === 1) return null
  return (
    <div className={styles.foot}>
      <Pager
        label={`Pages of ${inSentence(title)}`}
        page={found.page}
        limit={found.limit}
        total={found.total}
        onTurn={list.turnTo}
      />
      <span className={styles.size}>
        <label htmlFor={id}>Rows on a page</label>
        <Select
          id={id}
          size="small"
          value={String(list.choice.limit)}
          onChange={event => list.change({ limit: Number(event.target.value) })}
        >
          {pageSizes.map(size => (
            <Select.Option key={size} value={String(size)}>
              {String(size)}
            </Select.Option>
          ))}
        </Select>
      </span>
    </div>
  )
}

/** `j` and `k` move the keyboard down and up the rows, and `x` chooses the one it is in. */
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
