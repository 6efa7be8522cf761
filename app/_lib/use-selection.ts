'use client'
import { createContext, type MouseEvent, useRef, useState } from 'react'
import { mostRows } from './list-choice'

type Id = number | string

export interface Selection<T> {
  /** In the order in which they were chosen. They may be on other pages of the list. */
  selected: readonly T[]
  /** As many are chosen as can be; no other can be added. */
  isFull: boolean
  has: (row: T) => boolean
  /** With Shift, all rows from the one before to this one become as this one. */
  toggle: (row: T, event?: Pick<MouseEvent, 'shiftKey'>) => void
  /** Chooses all of these, or none of them where all are chosen, or as many as can be. */
  toggleAll: (rows: readonly T[]) => void
  clear: () => void
}

/** What is shown of a list. */
interface Shown<T> {
  /** What narrows the list. */
  narrowing: string
  /** Which page of it, in which order. */
  page: string
  /** The rows on it; nothing as long as they have not come. */
  rows: readonly T[] | undefined
  /** How many rows all pages have. */
  total: number
}

/** Keeps what is chosen as it is while somebody is asked about it. */
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
 * Returns what is still chosen once this is shown, in its newest state: nothing if the list is narrowed in another way, and
 * otherwise all but the rows that can no longer be chosen or are gone from the page they were on and from the list, which
 * has become shorter. Where others were only added, they have moved to the next page.
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

/** Which rows of a list are chosen, across its pages, up to as many as can be changed at once. */
export function useSelection<T>(shown: Shown<T>, rules: Rules<T>, isHeld: boolean): Selection<T> {
  const { idOf, takes } = rules
  const [kept, keep] = useState<Choosing<T>>({ selected: new Map(), shown })
  const selected = isHeld ? kept.selected : reconcile(kept, shown, rules)
  if (!isHeld && (selected !== kept.selected || !isSame(kept.shown, shown))) keep({ selected, shown })

  const last = useRef<Id>(undefined)
  const set = (wanted: readonly T[], isSelected: boolean): void => {
    // What fades belongs to what was asked for before.
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
