'use client'
import { type ReactNode, useId } from 'react'
import { pageSizes } from '@/app/_lib/list-choice'
import type { ListState } from '@/app/_lib/use-list-choice'
import type { Page } from '@/server/kernel/pagination'
import { useEarlyChoice } from './choice-fields'
import { Pager } from './pager'
import { Select } from './primer'
import styles from './work-list.module.css'

interface ListFootProps {
  /** Accessible name of the pager. */
  label: string
  list: ListState
  found: Page<unknown>
  isFormer: boolean
}

/** Pager of a list with a selector for the page size. */
export function ListFoot({ label, list, found, isFormer }: ListFootProps): ReactNode {
  const id = useId()
  const resize = (limit: string): void => list.change({ limit: Number(limit) })
  const select = useEarlyChoice(String(list.choice.limit), resize)
  const { total, limit } = found
  // The last page is known only after the response. On an empty page past it, the pager links back to it.
  const page = isFormer ? Math.min(list.choice.page, Math.max(1, Math.ceil(total / limit))) : found.page
  return (
    <div className={styles.foot}>
      <Pager
        label={label}
        page={page}
        limit={limit}
        total={total}
        onTurn={list.turnTo}
        onPastEnd={lastPage => list.change({ page: lastPage })}
      />
      <span className={styles.size}>
        <label htmlFor={id}>Rows per page</label>
        <Select
          ref={select}
          id={id}
          size="small"
          value={String(list.choice.limit)}
          onChange={event => resize(event.target.value)}
        >
          {pageSizes.map(size => (
            <option key={size} value={String(size)}>
              {String(size)}
            </option>
          ))}
        </Select>
      </span>
    </div>
  )
}
