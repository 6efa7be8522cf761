'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListState } from './use-list-choice'

/**
 * Which row of a list was added just now, and how to tell. Once the form that added it is closed, the list shows it,
 * however it was narrowed and sorted.
 */
export function useAddedRow(
  list: Pick<ListState, 'spec' | 'change'>,
  isFormOpen: boolean,
): [id: number | undefined, tell: (id: number) => void] {
  const [added, setAdded] = useState<{ id: number; isShown: boolean }>()
  const show = useEffectEvent((id: number) => {
    setAdded({ id, isShown: true })
    list.change({ q: '', sort: list.spec.sorts[0].value })
  })
  // Only then is the address the one that the list goes on with.
  useEffect(() => {
    if (added && !added.isShown && !isFormOpen) show(added.id)
  }, [added, isFormOpen])
  return [added?.id, id => setAdded({ id, isShown: false })]
}
