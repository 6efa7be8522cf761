'use client'
import { useState } from 'react'
import { readFailure } from './failure'
import { toast } from './toast'

interface Undoable {
  /** Does the action. Returns `false` if nothing was done because a confirmation is required first. */
  act: () => Promise<unknown>
  undo: () => Promise<unknown>
  /** Success message, such as "Removed ada". */
  done: string
  /** Refreshes the page after the action or its undoing. */
  refresh: () => Promise<unknown>
}

const undoMilliseconds = 10_000

const fail = (error: unknown): void => toast.error(readFailure(error).message)

/** Shows a success message with an Undo button for a while. */
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

/** State of a button that removes its row immediately and offers to undo it instead of asking first. */
export function useUndoable({ act, ...rest }: Undoable): {
  isPending: boolean
  onClick: () => void
} {
  // Every row of a list has one, so this is lighter than a mutation of the query library.
  const [isPending, setPending] = useState(false)
  const run = async (): Promise<void> => {
    setPending(true)
    try {
      if ((await act()) === false) return
      offerUndo(rest)
      await rest.refresh()
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
    }
  }
  return {
    isPending,
    onClick: () => {
      if (!isPending) void run()
    },
  }
}
