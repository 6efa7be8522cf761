'use client'
import { type KeyboardEvent, useState } from 'react'

interface OptionKeys {
  isOpen: boolean
  /**
   * Index of the active option. Undefined until an arrow key is pressed, so that Enter selects nothing by
   * accident.
   */
  active: number | undefined
  setOpen: (open: boolean) => void
  /** Opens the list without an active option. */
  startOver: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Keyboard control of a field with a list of options: arrows move, Enter selects, Escape closes. While the
 * list is closed, Enter submits the form if the field is filled.
 */
export function useOptionKeys<T>(
  options: readonly T[],
  { exact, isFilled, pick }: { exact: T | undefined; isFilled: boolean; pick: (option: T) => void },
): OptionKeys {
  const [open, setOpen] = useState(false)
  const [moved, setMoved] = useState<number>()
  const isOpen = open && options.length > 0
  const active = isOpen && moved !== undefined ? Math.min(moved, options.length - 1) : undefined

  const move = (step: number): void => {
    setOpen(true)
    const from = active ?? (step > 0 ? -1 : options.length)
    setMoved((from + step + options.length) % options.length)
  }
  const act = (key: string): boolean => {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (options.length > 0) move(key === 'ArrowDown' ? 1 : -1)
      return true
    }
    if (key === 'Escape' && isOpen) {
      setOpen(false)
      return true
    }
    if (key !== 'Enter' || (!isOpen && isFilled)) return false
    const option = active === undefined ? exact : options[active]
    if (isOpen && option !== undefined) pick(option)
    return true
  }

  return {
    isOpen,
    active,
    setOpen,
    startOver: () => {
      setMoved(undefined)
      setOpen(true)
    },
    onKeyDown: event => {
      if (event.nativeEvent.isComposing || !act(event.key)) return
      event.preventDefault()
      // A surrounding dialog would close on the same Escape.
      event.stopPropagation()
    },
  }
}
