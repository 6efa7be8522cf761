'use client'
import { type KeyboardEvent, useState } from 'react'

interface OptionKeys {
  isOpen: boolean
  active: number
  setOpen: (open: boolean) => void
  /** Opens the list with its first option chosen. */
  startOver: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The keys of a field with a list of options below it: arrows choose, Enter picks, Escape closes. */
export function useOptionKeys<T>(options: readonly T[], pick: (option: T) => void): OptionKeys {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const active = Math.min(chosen, options.length - 1)
  const isOpen = open && options.length > 0

  const move = (step: number): void => {
    setOpen(true)
    if (isOpen) setChosen((active + step + options.length) % options.length)
  }
  const act = (key: string): boolean => {
    const option = options[active]
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Escape' && isOpen) setOpen(false)
    // Also with nothing to pick: Enter must not send a form around the field.
    else if (key === 'Enter') isOpen && option !== undefined && pick(option)
    else return false
    return true
  }

  return {
    isOpen,
    active,
    setOpen,
    startOver: () => {
      setChosen(0)
      setOpen(true)
    },
    onKeyDown: event => {
      if (event.nativeEvent.isComposing || !act(event.key)) return
      event.preventDefault()
      // A dialog around the field would close on the same Escape.
      event.stopPropagation()
    },
  }
}
