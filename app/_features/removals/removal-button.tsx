'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import { readFailure } from '@/app/_lib/failure'
import { removalQuery } from '@/app/_lib/queries/removals'
import { trpc } from '@/app/_lib/trpc'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'
import { removalSentences } from './removal-sentences'

interface RemovalButtonProps
  extends Omit<Parameters<typeof AskButton>[0], 'dialog' | 'done'>,
    Omit<RemovalDialogProps, 'onDone' | 'onClose'> {
  /** Success message. It is a function if it depends on the effects of the removal. */
  done: string | ((ended: RemovalEffects) => string)
}

/**
 * Button for a removal. Its dialog first lists everything that the removal ends, and asks for confirmation.
 */
export function RemovalButton(props: RemovalButtonProps): ReactNode {
  const { target, isOwn, title, confirm, typedName, children, done, ...button } = props
  const ended = useRef<RemovalEffects>(undefined)
  return (
    <AskButton
      {...button}
      done={() => (typeof done === 'string' ? done : ended.current ? done(ended.current) : '')}
      dialog={({ finish, close }) => (
        <RemovalDialog
          target={target}
          isOwn={isOwn}
          title={title}
          confirm={confirm}
          typedName={typedName}
          onDone={effects => {
            ended.current = effects
            return finish()
          }}
          onClose={close}
        >
          {children}
        </RemovalDialog>
      )}
    />
  )
}

interface RemovalDialogProps {
  target: RemovalTarget
  /** Whether the viewer is removing themselves. */
  isOwn?: boolean
  title: string
  confirm: string
  typedName?: string | undefined
  /** Further consequences of the removal, shown below its effects. */
  children: ReactNode
  /** Obstacles that prevent the removal, shown if the server refuses it. */
  inTheWay?: ReactNode
  /** Called with the effects of the removal after it has succeeded. */
  onDone: (ended: RemovalEffects) => unknown
  onClose: () => void
}

/**
 * Dialog that lists the effects of a removal and asks for confirmation. If the effects have changed when the
 * viewer confirms, nothing is removed and the dialog shows the current ones.
 */
export function RemovalDialog(props: RemovalDialogProps): ReactNode {
  const { target, isOwn = false, title, confirm, typedName, children, inTheWay, onDone, onClose } = props
  const { data, error, refetch, isFetching } = useQuery(removalQuery(target))
  const taking = useMutation({
    mutationFn: (expected: RemovalEffects) => trpc.removals.confirm.mutate({ target, expected }),
    onSuccess: (_, expected) => onDone(expected),
    onError: async failure => {
      if (readFailure(failure).kind === 'conflict') await refetch()
    },
  })

  return (
    <LazyConfirmDialog
      title={title}
      confirm={confirm}
      typedName={typedName}
      ready={data !== undefined && !isFetching}
      pending={taking.isPending}
      failure={taking.error ? readFailure(taking.error).message : undefined}
      refusal={error ? readFailure(error).message : undefined}
      inTheWay={inTheWay}
      onConfirm={() => data && taking.mutate(data)}
      onClose={onClose}
    >
      <div role="status">
        {data ? (
          removalSentences(target, data, isOwn).map(sentence => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>Checking what’s affected…</p>
        )}
      </div>
      {children}
    </LazyConfirmDialog>
  )
}
