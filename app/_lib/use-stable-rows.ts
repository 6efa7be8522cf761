'use client'
import { useEffect, useEffectEvent, useState } from 'react'

export interface StableRows<T> {
  rows: readonly T[]
  /** Number of rows that are not shown yet. */
  fresh: number
  /** Whether deleted rows are still shown or new ones are not shown yet. */
  isBehind: boolean
  catchUp: () => void
}

/**
 * Keeps the rows of a polled list in their positions and updates them in place. Rows are added or removed
 * only on request, or when `mayMove` reports that no one is about to press one.
 * @param list Identifies the list. The rows of another list are shown immediately.
 */
export function useStableRows<T extends { id: number }>(
  latest: readonly T[],
  list: string,
  mayMove: () => boolean,
): StableRows<T> {
  const [shown, setShown] = useState({ list, rows: latest })
  const update = useEffectEvent(() => {
    const isStable = shown.list === list && !mayMove()
    setShown({ list, rows: isStable ? mergeRows(shown.rows, latest) : latest })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what makes a list another one, or newer
  useEffect(() => update(), [latest, list])

  const rows = shown.list === list ? shown.rows : latest
  const ids = new Set(rows.map(({ id }) => id))
  const fresh = latest.filter(({ id }) => !ids.has(id)).length
  return {
    rows,
    fresh,
    isBehind: fresh > 0 || rows.length !== latest.length,
    catchUp: () => setShown({ list, rows: latest }),
  }
}

function mergeRows<T extends { id: number }>(rows: readonly T[], latest: readonly T[]): T[] {
  const byId = new Map(latest.map(row => [row.id, row]))
  return rows.map(row => byId.get(row.id) ?? row)
}

/** Whether the pointer or the focus is inside an element. */
export const isBeingUsed = (element: HTMLElement | null): boolean =>
  element?.matches(':hover, :focus-within') ?? false
