'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import type { PauseChoice, PauseDialogProps } from './pause-dialog'
import { runnersKey } from './queries'

interface PauseButtonProps {
  scope: ScopeName
  runner: BrowsedRunner
  size?: 'small' | 'medium'
}

/** Pauses a runner after asking for a reason and a duration, or resumes it immediately. */
export function PauseButton({ scope, runner, size = 'small' }: PauseButtonProps): ReactNode {
  const { id, disabled: isPaused } = runner
  const name = isolated(runner.name)
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: runnersKey(scope) })
  const pausing = useMutation({
    mutationFn: (choice: PauseChoice) => trpc.runners.manage.pause.mutate({ scope, id, ...choice }),
    onSuccess: async () => {
      toast.success(`Paused ${name}`)
      setAsking(false)
      await refresh()
    },
  })
  const resuming = useMutation({
    mutationFn: () => trpc.runners.manage.resume.mutate({ scope, id }),
    onSuccess: async () => {
      toast.success(`Resumed ${name}`)
      await refresh()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  const word = isPaused ? 'Resume' : 'Pause'
  // The same button does both, so that it keeps the focus when it switches.
  return (
    <>
      <Button
        size={size}
        aria-label={`${word} ${name}`}
        aria-haspopup={isPaused ? undefined : 'dialog'}
        loading={resuming.isPending}
        onClick={() => (isPaused ? resuming.mutate() : setAsking(true))}
      >
        {word}
      </Button>
      {isAsking ? (
        <LazyPauseDialog
          runner={runner}
          pending={pausing.isPending}
          failure={pausing.error ? readFailure(pausing.error).message : undefined}
          onPause={choice => pausing.mutate(choice)}
          onClose={() => {
            pausing.reset()
            setAsking(false)
          }}
        />
      ) : null}
    </>
  )
}

const loadDialog = async () => (await import('./pause-dialog')).PauseDialog
onFirstUse(() => void loadDialog().catch(() => undefined))

function LazyPauseDialog(props: PauseDialogProps): ReactNode {
  const PauseDialog = useLazyComponent(loadDialog, true, error => {
    props.onClose()
    toast.error(readFailure(error).message)
  })
  return PauseDialog ? <PauseDialog {...props} /> : null
}
