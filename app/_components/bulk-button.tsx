'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, use, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { HoldSelection } from '@/app/_lib/use-selection'
import { isolated } from '@/app/_lib/visible-text'
import { AskButton, LazyConfirmDialog } from './confirm-button'

interface BulkButtonProps {
  /**
   * Verb for the button, such as "Delete". `done` is its past participle, such as "Deleted", or returns the
   * full success message.
   */
  verb: string
  done: string | (() => string)
  /** Nouns for the items, such as "SSH key" and "SSH keys". */
  nouns: readonly [one: string, many: string]
  /** Names of the items. */
  names: readonly string[]
  /** Whether the number of items must be typed to enable the dialog's button. */
  isTyped?: boolean
  /**
   * Changes the items and returns how many were changed, because someone else may have changed some before.
   */
  run: () => Promise<number>
  /** Clears the selection and refreshes the list. */
  onDone: () => unknown
  /** Consequences of the action, shown in the dialog. */
  children: ReactNode
}

/** Button that changes all selected rows of a list after a dialog that names them. */
export function BulkButton(props: BulkButtonProps): ReactNode {
  const { verb, done, nouns, names, onDone } = props
  const outcome = useRef({ changed: 0, wanted: 0 })
  return (
    <AskButton
      label={`${verb} ${counted(names.length, ...nouns)}`}
      size="small"
      done={typeof done === 'string' ? () => doneToSeveral(done, outcome.current, nouns) : done}
      onDone={onDone}
      onAsking={use(HoldSelection)}
      dialog={({ finish, close }) => (
        <BulkDialog
          {...props}
          onChanged={async (changed, wanted) => {
            outcome.current = { changed, wanted }
            await finish()
          }}
          onClose={close}
        />
      )}
    />
  )
}

interface BulkDialogProps extends BulkButtonProps {
  onChanged: (changed: number, wanted: number) => Promise<void>
  onClose: () => void
}

function BulkDialog({ onChanged, onClose, ...props }: BulkDialogProps): ReactNode {
  // The dialog keeps showing what people are about to confirm, whatever happens to the list.
  const [{ verb, nouns, names, isTyped, run, children }] = useState(props)
  const running = useMutation({
    mutationFn: run,
    onSuccess: changed => onChanged(changed, names.length),
  })
  const many = counted(names.length, ...nouns)
  return (
    <LazyConfirmDialog
      title={`${verb} ${many}?`}
      confirm={`${verb} ${many}`}
      typedName={isTyped ? many : undefined}
      pending={running.isPending}
      failure={running.error ? readFailure(running.error).message : undefined}
      onConfirm={() => running.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>{names.map(isolated).join(', ')}</strong>
      </p>
      {children}
    </LazyConfirmDialog>
  )
}
