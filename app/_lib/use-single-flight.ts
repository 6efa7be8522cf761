'use client'
import { type BaseSyntheticEvent, useRef } from 'react'

/** A form's submit that ignores being asked again while it is under way: a double click is one request. */
export function useSingleFlight(
  submit: (event?: BaseSyntheticEvent) => Promise<unknown>,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const underWay = useRef(false)
  return async event => {
    // Whatever happens, the browser must not send the form by itself.
    event?.preventDefault()
    if (underWay.current) return
    underWay.current = true
    try {
      await submit(event)
    } finally {
      underWay.current = false
    }
  }
}
