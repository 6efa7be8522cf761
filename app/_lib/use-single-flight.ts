'use client'
import { type BaseSyntheticEvent, useRef } from 'react'

/**
 * A form's submit that ignores being asked again while it is under way, and once it `isOver` with the next page on its way:
 * however often somebody clicks, it is one request.
 */
export function useSingleFlight(
  submit: (event?: BaseSyntheticEvent) => Promise<unknown>,
  isOver = false,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const underWay = useRef(false)
  return async event => {
    // Whatever happens, the browser must not send the form by itself.
    event?.preventDefault()
    if (underWay.current || isOver) return
    underWay.current = true
    try {
      await submit(event)
    } finally {
      underWay.current = false
    }
  }
}
