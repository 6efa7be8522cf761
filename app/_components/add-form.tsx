'use client'
import type { ReactNode } from 'react'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import form from './form.module.css'
import { Button } from './primer'

interface AddFormProps {
  /** Label of the button. */
  label: string
  /** Whether something is selected that can be added. */
  ready: boolean
  danger?: boolean
  onAdd: () => Promise<unknown>
  pending: boolean
  children: ReactNode
}

/** Form with a button that adds what is selected in it. Selecting on its own changes nothing. */
export function AddForm({ label, ready, danger = false, onAdd, pending, children }: AddFormProps): ReactNode {
  const submit = useSingleFlight(async () => (ready ? await onAdd() : undefined))
  return (
    <form className={form.form} onSubmit={submit} noValidate method="post">
      {children}
      <div className={form.actions}>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} inactive={!ready} loading={pending}>
          {label}
        </Button>
      </div>
    </form>
  )
}
