'use client'
import { type BaseSyntheticEvent, useRef } from 'react'

/**
 * Wraps a form's submit so that repeated clicks send only one request: it is ignored while an earlier one is
 * running, and, once `isOver` is set, while the next page is loading.
 */
export function useSingleFlight(
  submit: (event?: BaseSyntheticEvent) => Promise<unknown>,
  isOver = false,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const underWay = useRef(false)
  return async event => {
    // The browser must never submit the form itself.
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
