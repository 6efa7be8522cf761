'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, use, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { HoldSelection } from '@/app/_lib/use-selection'
import { isolated } from '@/app/_lib/visible-text'
import { AskButton, LazyConfirmDialog } from './confirm-button'

interface BulkButtonProps {
  /** "Delete" and "Deleted"; or all that is said once it is done. */
  verb: string
  done: string | (() => string)
  /** What they are, such as "SSH key" and "SSH keys". */
  nouns: readonly [one: string, many: string]
  /** What each of them is called. */
  names: readonly string[]
  /** Their number must be typed before the button of the dialog works. */
  isTyped?: boolean
  /** Returns how many were changed: somebody else may have been faster. */
  run: () => Promise<number>
  /** Forgets what was chosen and brings the list up to date. */
  onDone: () => unknown
  /** What stops working. */
  children: ReactNode
}

/** A button that names all that is chosen of a list before it changes them. */
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
  // What somebody is about to agree to stays as they read it, whatever becomes of the list meanwhile.
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
