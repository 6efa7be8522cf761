'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { onFirstUse, useLazyComponent } from '@/app/_lib/use-lazy-component'
import type { PlaceName } from '@/server/places/schema'
import type { BrowsedRunner } from '@/server/runners/pages/schema'
import type { PauseDialogProps } from './pause-dialog'
import { runnersKey } from './queries'

interface PauseButtonProps {
  place: PlaceName
  runner: BrowsedRunner
  size?: 'small' | 'medium'
}

/** Pauses a runner, after asking why and until when, or resumes it at once. */
export function PauseButton({ place, runner, size = 'small' }: PauseButtonProps): ReactNode {
  const { id, name, disabled: isPaused } = runner
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const setting = useMutation({
    mutationFn: ({ paused: disabled, ...why }: { paused: boolean; note?: string; resume_at?: string }) =>
      trpc.runners.pages.set.mutate({ place, id, disabled, ...why }),
    onSuccess: async (_, { paused }) => {
      toast.success(`${paused ? 'Paused' : 'Resumed'} ${name}`)
      await queryClient.invalidateQueries({ queryKey: runnersKey(place) })
      setAsking(false)
    },
    onError: (error, { paused }) => (paused ? undefined : toast.error(readFailure(error).message)),
  })
  if (isPaused) {
    return (
      <Button
        size={size}
        aria-label={`Resume ${name}`}
        loading={setting.isPending}
        onClick={() => setting.mutate({ paused: false })}
      >
        Resume
      </Button>
    )
  }
  return (
    <>
      <Button size={size} aria-label={`Pause ${name}`} onClick={() => setAsking(true)}>
        Pause
      </Button>
      {isAsking ? (
        <LazyPauseDialog
          runner={runner}
          pending={setting.isPending}
          failure={setting.error ? readFailure(setting.error).message : undefined}
          onPause={choice => setting.mutate({ paused: true, ...choice })}
          onClose={() => {
            setting.reset()
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
