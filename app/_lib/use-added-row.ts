'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListState } from './use-list-choice'
import { onFirstUse } from './workarounds/use-lazy-component'

interface AddedRow {
  /** ID of the row that was added last. */
  addedId: number | undefined
  /** ID of the same row until the viewer does something else. It takes the focus once it is shown. */
  newId: number | undefined
  announceAdded: (id: number) => void
}

/**
 * Tracks the row that was just added to a list. Once the form that added it is closed, the list's filters are
 * cleared so that it shows the row.
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
    // Closing the form changes the URL, which must happen first.
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

/** Whether a press is not a repetition of the key that submitted the form. */
const isFreshPress = (event: Event): boolean => !(event instanceof KeyboardEvent && event.repeat)
