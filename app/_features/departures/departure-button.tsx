'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import { readFailure } from '@/app/_lib/failure'
import { departureQuery } from '@/app/_lib/queries/departures'
import { trpc } from '@/app/_lib/trpc'
import type { DepartureEffects, WayOut } from '@/server/departures/schema'
import { departureSentences } from './departure-sentences'

interface DepartureButtonProps
  extends Omit<Parameters<typeof AskButton>[0], 'dialog' | 'done'>,
    Omit<DepartureDialogProps, 'onDone' | 'onClose'> {
  /** Said once all is done; a function where that depends on what has ended. */
  done: string | ((ended: DepartureEffects) => string)
}

/** A button for a way out of a team, an organization or the site, which names all that it ends before it is taken. */
export function DepartureButton(props: DepartureButtonProps): ReactNode {
  const { wayOut, isOwn, title, confirm, typedName, children, done, ...button } = props
  const ended = useRef<DepartureEffects>(undefined)
  return (
    <AskButton
      {...button}
      done={() => (typeof done === 'string' ? done : ended.current ? done(ended.current) : '')}
      dialog={({ finish, close }) => (
        <DepartureDialog
          wayOut={wayOut}
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
        </DepartureDialog>
      )}
    />
  )
}

interface DepartureDialogProps {
  wayOut: WayOut
  /** Whoever is named in the way out is the person who reads this. */
  isOwn?: boolean
  title: string
  confirm: string
  typedName?: string | undefined
  /** What else to know, below what ends. */
  children: ReactNode
  /** Shown where it is refused: what would have to be done first. */
  inTheWay?: ReactNode
  /** Given what has ended. */
  onDone: (ended: DepartureEffects) => unknown
  onClose: () => void
}

/** Names all that a way out ends before it is taken; it ends just that, or asks again. */
export function DepartureDialog(props: DepartureDialogProps): ReactNode {
  const { wayOut, isOwn = false, title, confirm, typedName, children, inTheWay, onDone, onClose } = props
  const { data, error, refetch, isFetching } = useQuery(departureQuery(wayOut))
  const taking = useMutation({
    mutationFn: (expected: DepartureEffects) => trpc.departures.take.mutate({ wayOut, expected }),
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
          departureSentences(wayOut, data, isOwn).map(sentence => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>Looking up what this ends…</p>
        )}
      </div>
      {children}
    </LazyConfirmDialog>
  )
}
