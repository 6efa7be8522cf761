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
  /** Said once all is done; a function where that depends on what has ended. */
  done: string | ((ended: RemovalEffects) => string)
}

/** A button that removes somebody or something, and first lists everything the removal ends. */
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
  /** Whether the viewer removes themselves. */
  isOwn?: boolean
  title: string
  confirm: string
  typedName?: string | undefined
  /** What else to know, below what ends. */
  children: ReactNode
  /** Shown where it is refused: what would have to be done first. */
  inTheWay?: ReactNode
  /** Given what has ended. */
  onDone: (ended: RemovalEffects) => unknown
  onClose: () => void
}

/** Lists everything a removal ends before it happens. If that has changed meanwhile, it asks again. */
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
          <p>Looking up what this ends…</p>
        )}
      </div>
      {children}
    </LazyConfirmDialog>
  )
}
