'use client'
import { useEffect, useState } from 'react'

/** A switch that this browser remembers; off at first, and where nothing can be stored. */
export function usePreference(name: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    try {
      setOn(localStorage.getItem(name) === 'on')
    } catch {}
  }, [name])
  const set = (wanted: boolean): void => {
    setOn(wanted)
    try {
      localStorage.setItem(name, wanted ? 'on' : 'off')
    } catch {}
  }
  return [isOn, set]
}
