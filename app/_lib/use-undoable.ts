'use client'
import { useMutation } from '@tanstack/react-query'
import { readFailure } from './failure'
import { toast } from './toast'

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

const fail = (error: unknown): void => toast.error(readFailure(error).message)

/** Says what has happened, and offers the way back for a while. */
export function offerUndo({ done, undo, refresh }: Omit<Undoable, 'act'>): void {
  const takeBack = async (): Promise<void> => {
    try {
      await undo()
      await refresh()
    } catch (error) {
      fail(error)
    }
  }
  toast.success(done, {
    duration: undoMilliseconds,
    action: { label: 'Undo', onClick: () => void takeBack() },
  })
}

/** A removal that acts at once and offers the way back, instead of asking first. For a button in the row that goes. */
export function useUndoable({ act, ...rest }: Undoable): {
  isPending: boolean
  onClick: () => void
} {
  const removal = useMutation({
    mutationFn: act,
    onSuccess: async result => {
      if (result === false) return
      offerUndo(rest)
      await rest.refresh()
    },
    onError: fail,
  })
  return {
    isPending: removal.isPending,
    onClick: () => {
      if (!removal.isPending) removal.mutate()
    },
  }
}
