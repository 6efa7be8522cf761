'use client'
import { useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { readFailure } from './failure'
import { toast } from './toast'
import { useFocusNextRow } from './use-focus-next-row'

interface Undoable {
  /** Gives `false` when nothing was done after all, because it has to be asked first. */
  act: () => Promise<unknown>
  undo: () => Promise<unknown>
  /** What has happened, as in "Removed ada". */
  done: string
  /** Brings what is shown up to date, after either. */
  refresh: () => Promise<unknown>
}

const undoMilliseconds = 10_000

/** A removal that acts at once and offers the way back, instead of asking first. For a button in the row that goes. */
export function useUndoable({ act, undo, done, refresh }: Undoable): {
  isPending: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
} {
  const focusNext = useFocusNextRow()
  const fail = (error: unknown): void => {
    focusNext.stay()
    toast.error(readFailure(error).message)
  }
  const takeBack = async (): Promise<void> => {
    try {
      await undo()
      await refresh()
    } catch (error) {
      fail(error)
    }
  }
  const removal = useMutation({
    mutationFn: act,
    onSuccess: async result => {
      if (result === false) return focusNext.stay()
      toast.success(done, {
        duration: undoMilliseconds,
        action: { label: 'Undo', onClick: () => void takeBack() },
      })
      await refresh()
    },
    onError: fail,
  })
  return {
    isPending: removal.isPending,
    onClick: event => {
      if (removal.isPending) return
      focusNext.from(event.currentTarget)
      removal.mutate()
    },
  }
}
