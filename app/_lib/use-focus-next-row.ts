'use client'
import { useEffect, useRef } from 'react'
import { nextRowFocus } from './place-after'

interface FocusNextRow {
  /** From now on, the keyboard goes to the neighbour of this element's row when the row goes. */
  from: (element: Element) => void
  /** The row stays after all. */
  stay: () => void
}

/** For what removes the row it stands in: whoever works by keyboard must not be thrown back to the start of the page. */
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
