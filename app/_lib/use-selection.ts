'use client'
import { createContext, type MouseEvent, useRef, useState } from 'react'
import { mostRows } from './list-choice'

type Id = number | string

export interface Selection<T> {
  /** The selected rows in the order of their selection. They can be on other pages of the list. */
  selected: readonly T[]
  /** Whether the maximum number of rows is selected. */
  isFull: boolean
  has: (row: T) => boolean
  /**
   * Selects or deselects a row. With Shift, all rows from the previously toggled one to this one change
   * together.
   */
  toggle: (row: T, event?: Pick<MouseEvent, 'shiftKey'>) => void
  /** Selects all of these rows, up to the maximum, or deselects them if all are selected. */
  toggleAll: (rows: readonly T[]) => void
  clear: () => void
}

/** The part of a list that is shown. */
interface Shown<T> {
  /** The filters of the list. */
  narrowing: string
  /** The page and sort order. */
  page: string
  /** The rows on the page. Undefined until they have loaded. */
  rows: readonly T[] | undefined
  /** Number of rows on all pages. */
  total: number
}

/** Keeps the selection unchanged while a dialog asks about it. */
export const HoldSelection = createContext<(isHeld: boolean) => void>(() => undefined)

interface Rules<T> {
  idOf: (row: T) => Id
  takes: (row: T) => boolean
}

interface Choosing<T> {
  selected: ReadonlyMap<Id, T>
  shown: Shown<T>
}

/**
 * Returns the rows that remain selected when the shown part of a list changes, in their newest state. Changed
 * filters clear the selection. Otherwise, it drops rows that can no longer be selected, and rows missing from
 * their page if the list has become shorter. If the list has not become shorter, missing rows have moved to
 * another page.
 */
export function reconcile<T>(
  before: Choosing<T>,
  shown: Shown<T>,
  { idOf, takes }: Rules<T>,
): ReadonlyMap<Id, T> {
  const { selected } = before
  if (selected.size === 0) return selected
  if (shown.narrowing !== before.shown.narrowing) return new Map()
  const newest = new Map(shown.rows?.map(row => [idOf(row), row]))
  const isShorter = shown.page === before.shown.page && shown.total < before.shown.total
  const former = shown.rows && isShorter ? before.shown.rows : undefined
  const removed = new Set(former?.map(idOf).filter(id => !newest.has(id)))
  const kept = [...selected]
    .map(([id, row]) => [id, newest.get(id) ?? row] as const)
    .filter(([id, row]) => takes(row) && !removed.has(id))
  const isUnchanged = kept.length === selected.size && kept.every(([id, row]) => selected.get(id) === row)
  return isUnchanged ? selected : new Map(kept)
}

/**
 * Tracks which rows of a list are selected across its pages, up to the maximum that can be changed together.
 */
export function useSelection<T>(shown: Shown<T>, rules: Rules<T>, isHeld: boolean): Selection<T> {
  const { idOf, takes } = rules
  const [kept, keep] = useState<Choosing<T>>({ selected: new Map(), shown })
  const selected = isHeld ? kept.selected : reconcile(kept, shown, rules)
  if (!isHeld && (selected !== kept.selected || !isSame(kept.shown, shown))) keep({ selected, shown })

  const last = useRef<Id>(undefined)
  const set = (wanted: readonly T[], isSelected: boolean): void => {
    // Fading rows belong to the previous state of the list.
    if (!shown.rows) return
    const next = new Map(selected)
    for (const row of wanted) {
      if (!isSelected) next.delete(idOf(row))
      else if (next.size < mostRows || next.has(idOf(row))) next.set(idOf(row), row)
    }
    keep({ selected: next, shown })
  }
  const between = (row: T): readonly T[] => {
    const rows = (shown.rows ?? []).filter(takes)
    const ends = [rows.findIndex(other => idOf(other) === last.current), rows.indexOf(row)]
    return Math.min(...ends) < 0 ? [row] : rows.slice(Math.min(...ends), Math.max(...ends) + 1)
  }
  const isFull = selected.size >= mostRows
  return {
    selected: [...selected.values()],
    isFull,
    has: row => selected.has(idOf(row)),
    toggle: (row, event) => {
      set(event?.shiftKey ? between(row) : [row], !selected.has(idOf(row)))
      last.current = idOf(row)
    },
    toggleAll: wanted => set(wanted, !isFull && wanted.some(row => !selected.has(idOf(row)))),
    clear: () => keep({ selected: new Map(), shown }),
  }
}

const isSame = <T>(one: Shown<T>, other: Shown<T>): boolean =>
  one.narrowing === other.narrowing &&
  one.page === other.page &&
  one.rows === other.rows &&
  one.total === other.total
