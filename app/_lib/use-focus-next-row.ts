'use client'
import { useEffect, useRef } from 'react'

interface FocusNextRow {
  /** From now on, the keyboard goes to the neighbor of this element's row when the row goes. */
  from: (element: Element) => void
  /** The row stays after all. */
  stay: () => void
}

/** Keeps the keyboard in a list when the row it is in goes, instead of at the start of the page. */
export function useFocusNextRow(): FocusNextRow {
  const focusNext = useRef<() => void>(undefined)
  useEffect(() => () => focusNext.current?.(), [])
  return {
    from: element => {
      focusNext.current = nextRowFocus(element)
    },
    stay: () => {
      focusNext.current = undefined
    },
  }
}

/**
 * Moves the keyboard on once the row around this element has left its list: to the nearest row that is still there of those
 * that follow, or else of those before, or to the page. Somebody who has moved elsewhere stays there.
 */
function nextRowFocus(element: Element): () => void {
  const row = element.closest('li, tr')
  const rows = [...(row?.parentElement?.children ?? [])]
  const place = row ? rows.indexOf(row) : 0
  const neighbors = [...rows.slice(place + 1), ...rows.slice(0, place).reverse()]
  return () => {
    if (document.activeElement !== document.body) return
    const neighbor = neighbors.find(({ isConnected }) => isConnected)
    const next = neighbor?.querySelector<HTMLElement>('a[href], button')
    const target = next ?? document.getElementById('main')
    target?.focus()
  }
}
