'use client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import { offerUndo } from '@/app/_lib/use-undoable'
import { Button } from './primer'

interface BulkUndoButtonProps {
  /** "Archive" and "Archived". */
  verb: string
  done: string
  /** What they are, such as "repository" and "repositories". */
  nouns: readonly [one: string, many: string]
  /** Where they were, as in "from acme". */
  where?: string
  ids: readonly number[]
  /** Returns those that were changed: somebody else may have been faster. */
  run: (ids: number[]) => Promise<readonly number[]>
  /** Takes it back for those that were changed. */
  undo: (ids: number[]) => Promise<unknown>
  /** Forgets what was chosen and brings the list up to date. */
  onDone: () => Promise<unknown>
}

/** A button that changes all that is chosen of a list at once, and offers the way back. */
export function BulkUndoButton(props: BulkUndoButtonProps): ReactNode {
  const { verb, done, nouns, where, ids, run, undo, onDone } = props
  const change = useMutation({
    mutationFn: async () => ({ wanted: ids.length, changed: await run([...ids]) }),
    onSuccess: async ({ wanted, changed }) => {
      const said = doneToSeveral(done, { changed: changed.length, wanted }, nouns, where)
      if (changed.length === 0) toast.success(said)
      else offerUndo({ done: said, undo: () => undo([...changed]), refresh: onDone })
      await onDone()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <Button size="small" loading={change.isPending} onClick={() => change.isPending || change.mutate()}>
      {`${verb} ${counted(ids.length, ...nouns)}`}
    </Button>
  )
}
