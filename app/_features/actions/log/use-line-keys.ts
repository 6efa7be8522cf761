'use client'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ShownLine } from './fold'
import type { LineRange } from './use-lines'

export type Move = 'next' | 'previous' | 'first' | 'last'

interface LineKeys {
  /**
   * The row whose number can be reached with the Tab key. A section has only one, although it has hundreds of
   * rows.
   */
  stop: number | undefined
  /** Makes a row the stop. */
  stopAt: (row: number) => void
  /** Moves the focus from one row to another. */
  move: (row: number, to: Move) => void
}

/**
 * Keyboard navigation through line numbers. The Tab key reaches the line that was focused last, or else a
 * selected line or the first one.
 */
export function useLineKeys(lines: readonly ShownLine[], selected: LineRange | undefined): LineKeys {
  const [last, setLast] = useState<number>()
  const [target, setTarget] = useState<number>()
  const shown = useRef(lines)
  shown.current = lines
  const move = useCallback((row: number, to: Move): void => {
    const next = rowTo(shown.current, row, to)
    setLast(next)
    setTarget(next)
  }, [])
  const stop = useMemo(() => {
    const wanted = [last, selected && selected.first - 1]
    return wanted.find(row => row !== undefined && positionOf(lines, row) >= 0) ?? lines[0]?.row
  }, [lines, last, selected])
  useLayoutEffect(() => {
    if (target === undefined) return
    document.querySelector<HTMLElement>(`#L${target + 1} > a`)?.focus()
    setTarget(undefined)
  }, [target])
  return { stop, stopAt: setLast, move }
}

/** Returns the row to move to. */
export function rowTo(lines: readonly ShownLine[], row: number, to: Move): number {
  const last = lines.length - 1
  const position = positionOf(lines, row)
  const positions = {
    next: Math.min(position + 1, last),
    previous: Math.max(position - 1, 0),
    first: 0,
    last,
  }
  return lines[positions[to]]?.row ?? row
}

/** Returns the position of a row among lines in the order of their rows. -1 if it is hidden. */
function positionOf(lines: readonly ShownLine[], row: number): number {
  let [low, high] = [0, lines.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = lines[middle]?.row ?? row
    if (found === row) return middle
    if (found < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}
