'use client'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import type { Destination } from './destination'

interface ActiveResult {
  listId: string
  /** Index of the result that Enter opens. */
  active: number
  /** Element ID of that result. Undefined if there is none. */
  activeId: string | undefined
  optionId: (index: number) => string
  onKeyDown: (event: KeyboardEvent) => void
  /** Makes the first result active. Must be called when the text changes. */
  reset: () => void
  /** Opens the first result as soon as the results of the current text have arrived. */
  openWhenFound: () => void
}

/** Tracks the active search result: the first one, until arrow keys move to another. */
export function useActiveResult(
  results: readonly Destination[],
  { isBehind, hasFailed }: { isBehind: boolean; hasFailed: boolean },
): ActiveResult {
  const listId = useId()
  const [moved, setMoved] = useState<string>()
  // People who type fast want the result for their full text, not one for an earlier text.
  const [isDue, setDue] = useState(false)
  const active = Math.max(
    results.findIndex(({ href }) => href === moved),
    0,
  )
  const optionId = (index: number): string => `${listId}-${index}`
  const activeId = results.length > 0 ? optionId(active) : undefined

  // Clicks the option like a link, so that the warning about unsaved changes and the loading indicator work.
  const open = (index: number): void => document.getElementById(optionId(index))?.click()
  const openFirst = useEffectEvent(() => {
    setDue(false)
    if (!hasFailed) open(0)
  })
  useEffect(() => {
    if (isDue && !isBehind) openFirst()
  }, [isDue, isBehind])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      if (isBehind && moved === undefined) setDue(true)
      else open(active)
    } else {
      // With Shift, these keys select text.
      if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
      const next = nextOf(event.key, active, results.length)
      if (next === undefined) return
      setMoved(results[next]?.href)
    }
    event.preventDefault()
  }

  return {
    listId,
    active,
    activeId,
    optionId,
    onKeyDown,
    reset() {
      setMoved(undefined)
      setDue(false)
    },
    openWhenFound: () => setDue(true),
  }
}

function nextOf(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return (active + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
