'use client'
import { useEffect, useEffectEvent, useState } from 'react'

export interface StableRows<T> {
  rows: readonly T[]
  /** How many rows there are that are not shown yet. */
  fresh: number
  /** Rows are shown that are not in the list anymore, or new ones are not. */
  isBehind: boolean
  catchUp: () => void
}

/**
 * The rows of a list that is fetched again and again: those that are there keep their places, and are brought up to date
 * in them. Rows come and go only when asked for, or when `mayMove` says that nobody is about to press one.
 * @param list Names the list: another one is shown at once.
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

/** Whether somebody points at something in here, or has the keyboard there. */
export const isBeingUsed = (element: HTMLElement | null): boolean =>
  element?.matches(':hover, :focus-within') ?? false
