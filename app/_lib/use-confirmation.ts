'use client'
import { useEffect, useRef, useState } from 'react'
import { nextRowFocus } from './place-after'

interface Confirmation<T> {
  /** What the dialog asks about; undefined while there is none. */
  subject: T | undefined
  /** For the button that opens the dialog. */
  ask: (subject: T, event: { currentTarget: Element }) => void
  close: () => void
}

/**
 * A dialog that asks before it removes the row it was opened from. Once it is closed and the row is gone, the keyboard
 * goes on to the next row, as the dialog's own way back to the button leads nowhere.
 */
export function useConfirmation<T>(): Confirmation<T> {
  const [subject, setSubject] = useState<T>()
  const focusNext = useRef<() => void>(undefined)
  useEffect(() => {
    if (subject !== undefined) return
    focusNext.current?.()
    focusNext.current = undefined
  }, [subject])
  return {
    subject,
    ask: (asked, { currentTarget }) => {
      focusNext.current = nextRowFocus(currentTarget)
      setSubject(asked)
    },
    close: () => setSubject(undefined),
  }
}
