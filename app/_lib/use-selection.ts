'use client'
import { type MouseEvent, useRef, useState } from 'react'

type Id = number | string

/** The server changes no more at once. */
const mostChosen = 100

export interface Selection<T> {
  /** In the order in which they were chosen. They may be on other pages of the list. */
  chosen: readonly T[]
  /** As many are chosen as can be; no other can be added. */
  isFull: boolean
  has: (row: T) => boolean
  /** With Shift, all rows from the one before to this one become as this one. */
  toggle: (row: T, event?: Pick<MouseEvent, 'shiftKey'>) => void
  /** Chooses all of these, or none of them where all are chosen, or as many as can be. */
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
      if (!isChosen) next.delete(idOf(row))
      else if (next.size < mostChosen || next.has(idOf(row))) next.set(idOf(row), row)
    }
    setChosen(next)
  }
  const between = (row: T): readonly T[] => {
    const ends = [rows.findIndex(other => idOf(other) === last.current), rows.indexOf(row)]
    return Math.min(...ends) < 0 ? [row] : rows.slice(Math.min(...ends), Math.max(...ends) + 1)
  }
  const isFull = chosen.size >= mostChosen
  return {
    chosen: [...chosen.values()],
    isFull,
    has: row => chosen.has(idOf(row)),
    toggle: (row, event) => {
      set(event?.shiftKey ? between(row) : [row], !chosen.has(idOf(row)))
      last.current = idOf(row)
    },
    toggleAll: wanted => set(wanted, !isFull && wanted.some(row => !chosen.has(idOf(row)))),
    clear: () => setChosen(new Map()),
  }
}
