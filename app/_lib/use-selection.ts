'use client'
import { type MouseEvent, useRef, useState } from 'react'

type Id = number | string

export interface Selection<T> {
  /** In the order in which they were chosen. They may be on other pages of the list. */
  chosen: readonly T[]
  has: (row: T) => boolean
  /** With Shift, all rows from the one before to this one become as this one. */
  toggle: (row: T, event?: Pick<MouseEvent, 'shiftKey'>) => void
  /** Chooses all of these, or none of them where all are chosen. */
  toggleAll: (rows: readonly T[]) => void
  clear: () => void
}

/**
 * Which rows of a list are chosen, across its pages.
 * @param rows The rows that are shown and can be chosen.
 */
export function useSelection<T>(rows: readonly T[], idOf: (row: T) => Id): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<Id, T>>(new Map())
  const last = useRef<Id>(undefined)
  const set = (wanted: readonly T[], isChosen: boolean): void => {
    const next = new Map(chosen)
    for (const row of wanted) {
      if (isChosen) next.set(idOf(row), row)
      else next.delete(idOf(row))
    }
    setChosen(next)
  }
  const between = (row: T): readonly T[] => {
    const ends = [rows.findIndex(other => idOf(other) === last.current), rows.indexOf(row)]
    return Math.min(...ends) < 0 ? [row] : rows.slice(Math.min(...ends), Math.max(...ends) + 1)
  }
  return {
    chosen: [...chosen.values()],
    has: row => chosen.has(idOf(row)),
    toggle: (row, event) => {
      set(event?.shiftKey ? between(row) : [row], !chosen.has(idOf(row)))
      last.current = idOf(row)
    },
    toggleAll: wanted =>
      set(
        wanted,
        wanted.some(row => !chosen.has(idOf(row))),
      ),
    clear: () => setChosen(new Map()),
  }
}
