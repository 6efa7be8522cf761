'use client'
import { useEffect, useRef } from 'react'
import { placeAfter } from './place-after'

interface MoveOn {
  /** From now on, the keyboard goes to the neighbour of this element's row when the row goes. */
  from: (element: Element) => void
  /** The row stays after all. */
  stay: () => void
}

/** For what removes the row it stands in: whoever works by keyboard must not be thrown back to the start of the page. */
export function useMoveOn(): MoveOn {
  const moveOn = useRef<() => void>(undefined)
  useEffect(() => () => moveOn.current?.(), [])
  return {
    from: element => {
      moveOn.current = placeAfter(element)
    },
    stay: () => {
      moveOn.current = undefined
    },
  }
}
