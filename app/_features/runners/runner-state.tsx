import type { ReactNode } from 'react'
import { Label } from '@/app/_components/primer'
import type { BrowsedRunner, RunnerState } from '@/server/runners/pages/schema'

interface StateWords {
  word: string
  about: string
  variant: 'success' | 'accent' | 'attention' | 'secondary'
}

export const stateWords: Record<RunnerState, StateWords> = {
  idle: { word: 'Idle', about: 'It is online and waits for a job.', variant: 'success' },
  busy: { word: 'Busy', about: 'It is doing a job.', variant: 'accent' },
  offline: {
    word: 'Offline',
    about: 'It has not called for more than a minute, so it gets no jobs until it is started again.',
    variant: 'secondary',
  },
  paused: {
    word: 'Paused',
    about: 'It gets no new jobs. A job that it is doing goes on.',
    variant: 'attention',
  },
  never: {
    word: 'Never connected',
    about: 'It is registered, but has never asked for a job. Start it with its daemon command.',
    variant: 'secondary',
  },
}

/** How a runner is, in one word; what that means stands where the pointer rests on it. */
export function StateLabel({ runner: { state } }: { runner: Pick<BrowsedRunner, 'state'> }): ReactNode {
  const { word, about, variant } = stateWords[state]
  return (
    <Label variant={variant} title={about}>
      {word}
    </Label>
  )
}
