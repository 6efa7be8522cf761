'use client'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Dialog, FormControl, Select } from '@/app/_components/primer'
import { isolated } from '@/app/_lib/visible-text'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import { PauseNote } from './runner-status'

export interface PauseChoice {
  note: string
  resume_in_minutes: number | undefined
}

export interface PauseDialogProps {
  runner: BrowsedRunner
  pending: boolean
  failure: string | undefined
  onPause: (choice: PauseChoice) => void
  onClose: () => void
}

const ends = [
  { minutes: 0, label: 'Until I resume it' },
  { minutes: 15, label: '15 minutes' },
  { minutes: 60, label: '1 hour' },
  { minutes: 4 * 60, label: '4 hours' },
  { minutes: 24 * 60, label: '1 day' },
  { minutes: 7 * 24 * 60, label: '1 week' },
]

/** Dialog that asks why and for how long to pause a runner. */
export function PauseDialog({ runner, pending, failure, onPause, onClose }: PauseDialogProps): ReactNode {
  const [note, setNote] = useState('')
  const [minutes, setMinutes] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const pause = (): void => {
    if (!pending) onPause({ note: note.trim(), resume_in_minutes: minutes || undefined })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    pause()
  }
  return (
    <Dialog
      title={`Pause ${isolated(runner.name)}?`}
      width="large"
      onClose={onClose}
      initialFocusRef={field}
      footerButtons={[
        { content: 'Cancel', onClick: onClose },
        { content: 'Pause runner', buttonType: 'primary', loading: pending, onClick: pause },
      ]}
    >
      <form className={form.form} onSubmit={submit} noValidate>
        <FormBanner title="The runner couldn’t be paused" message={failure} />
        <div>
          <p>
            The runner stays registered but won’t get new jobs.{' '}
            {runner.jobs.length > 0 ? 'Its current job will continue.' : null}
          </p>
          <div role="status">
            {runner.disabled && !pending ? (
              <>
                <PauseNote runner={runner} />
                <p>Pausing it again will replace this note and duration.</p>
              </>
            ) : null}
          </div>
        </div>
        <TextField
          ref={field}
          label="Note"
          optional
          autoComplete="off"
          maxLength={500}
          caption="Why the runner is paused. Visible to others."
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        <FormControl>
          <FormControl.Label>Duration</FormControl.Label>
          <Select block value={String(minutes)} onChange={event => setMinutes(Number(event.target.value))}>
            {ends.map(end => (
              <option key={end.minutes} value={String(end.minutes)}>
                {end.label}
              </option>
            ))}
          </Select>
        </FormControl>
      </form>
    </Dialog>
  )
}
