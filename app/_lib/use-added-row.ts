'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListState } from './use-list-choice'
import { onFirstUse } from './workarounds/use-lazy-component'

interface AddedRow {
  /** The row that was added last. */
  addedId: number | undefined
  /** The same row until the reader does something else: it takes the keyboard once it is shown. */
  newId: number | undefined
  announceAdded: (id: number) => void
}

/**
 * Which row of a list was added just now, and how to tell. Once the form that added it is closed, the list shows it,
 * however it was narrowed and sorted.
 */
export function useAddedRow(
  list: Pick<ListState, 'spec' | 'change' | 'clear'>,
  isFormOpen: boolean,
): AddedRow {
  const [added, setAdded] = useState<{ id: number; stage: 'announced' | 'new' | 'known' }>()
  const show = useEffectEvent((id: number) => {
    setAdded({ id, stage: 'new' })
    list.clear()
    list.change({ sort: list.spec.sorts[0].value })
  })
  useEffect(() => {
    // Closing the form changes the address; wait for that.
    if (added?.stage === 'announced' && !isFormOpen) show(added.id)
    if (added?.stage !== 'new') return
    return onFirstUse(() => setAdded({ ...added, stage: 'known' }), isFreshPress)
  }, [added, isFormOpen])
  return {
    addedId: added?.id,
    newId: added?.stage === 'new' ? added.id : undefined,
    announceAdded: id => setAdded({ id, stage: 'announced' }),
  }
}

/** The key that sent the form may still be held down. */
const isFreshPress = (event: Event): boolean => !(event instanceof KeyboardEvent && event.repeat)
