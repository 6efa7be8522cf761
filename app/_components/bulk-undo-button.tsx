'use client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import { offerUndo } from '@/app/_lib/use-undoable'
import { Button } from './primer'

interface BulkUndoButtonProps {
  /** Verb and past participle, such as "Archive" and "Archived". */
  verb: string
  done: string
  /** Nouns for the items, such as "repository" and "repositories". */
  nouns: readonly [one: string, many: string]
  /** Where the items were, such as "from acme". */
  where?: string
  ids: readonly number[]
  /**
   * Changes the items and returns the IDs of those that were changed, because someone else may have changed
   * some before.
   */
  run: (ids: number[]) => Promise<readonly number[]>
  /** Reverts the change of the items with these IDs. */
  undo: (ids: number[]) => Promise<unknown>
  /** Clears the selection and refreshes the list. */
  onDone: () => Promise<unknown>
}

/** Button that changes all selected rows of a list immediately and offers to undo it. */
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
