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
 * Moves the keyboard on once the row around this element has left its list: to the row that follows, the one before, or
 * the page. Somebody who has moved elsewhere stays there.
 */
function nextRowFocus(element: Element): () => void {
  const row = element.closest('li, tr')
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling
  return () => {
    if (document.activeElement !== document.body) return
    const next = neighbor?.isConnected ? neighbor.querySelector<HTMLElement>('a[href], button') : undefined
    const target = next ?? document.getElementById('main')
    target?.focus()
  }
}
