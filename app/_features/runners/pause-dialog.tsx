'use client'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Dialog, FormControl, Select } from '@/app/_components/primer'
import type { BrowsedRunner } from '@/server/runners/pages/schema'

export interface PauseDialogProps {
  runner: BrowsedRunner
  pending: boolean
  failure: string | undefined
  onPause: (choice: { note: string; resume_at: string }) => void
  onClose: () => void
}

const ends = [
  { minutes: 0, label: 'When somebody resumes it' },
  { minutes: 15, label: 'In 15 minutes' },
  { minutes: 60, label: 'In an hour' },
  { minutes: 4 * 60, label: 'In 4 hours' },
  { minutes: 24 * 60, label: 'In a day' },
  { minutes: 7 * 24 * 60, label: 'In a week' },
]

/** Asks why a runner is paused, and until when. */
export function PauseDialog({ runner, pending, failure, onPause, onClose }: PauseDialogProps): ReactNode {
  const [note, setNote] = useState('')
  const [minutes, setMinutes] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const pause = (): void => {
    const end = minutes > 0 ? new Date(Date.now() + minutes * 60_000).toISOString() : ''
    if (!pending) onPause({ note: note.trim(), resume_at: end })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    pause()
  }
  return (
    <Dialog
      title={`Pause ${runner.name}?`}
      width="large"
      onClose={onClose}
      initialFocusRef={field}
      footerButtons={[
        { content: 'Cancel', onClick: onClose },
        { content: 'Pause runner', buttonType: 'primary', loading: pending, onClick: pause },
      ]}
    >
      <form className={form.form} onSubmit={submit} noValidate>
        <FormBanner title="The runner was not paused" message={failure} />
        <p>
          It stays registered and gets no new jobs.{' '}
          {runner.jobs.length > 0 ? 'The job that it is doing goes on.' : null}
        </p>
        <TextField
          ref={field}
          label="Note"
          optional
          autoComplete="off"
          maxLength={500}
          caption="Why, for others who look at it."
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        <FormControl>
          <FormControl.Label>Resumes</FormControl.Label>
          <Select block value={String(minutes)} onChange={event => setMinutes(Number(event.target.value))}>
            {ends.map(end => (
              <Select.Option key={end.minutes} value={String(end.minutes)}>
                {end.label}
              </Select.Option>
            ))}
          </Select>
        </FormControl>
      </form>
    </Dialog>
  )
}
