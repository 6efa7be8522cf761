'use client'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface PersonToAdd {
  /** The login name of who is chosen. */
  chosen: string | undefined
  /** For the picker: a new key empties it. */
  picker: {
    key: number
    inputRef: RefObject<HTMLInputElement | null>
    chosen: string | undefined
    onChoose: (login: string | undefined) => void
  }
  /** Empties the field for the next person, and goes there. */
  next: () => void
}

/** Who is chosen in a picker, until they are added. */
export function usePersonToAdd(onChoose: () => void): PersonToAdd {
  const inputRef = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string>()
  const [added, setAdded] = useState(0)
  useEffect(() => {
    if (added > 0) inputRef.current?.focus()
  }, [added])
  return {
    chosen,
    picker: {
      key: added,
      inputRef,
      chosen,
      onChoose: login => {
        onChoose()
        setChosen(login)
      },
    },
    next: () => {
      setChosen(undefined)
      setAdded(count => count + 1)
    },
  }
}
