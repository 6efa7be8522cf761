'use client'
import type { ReactNode } from 'react'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import form from './form.module.css'
import { Button } from './primer'

interface AddFormProps {
  /** Label of the button. */
  label: string
  /** Whether an item that can be added is selected. */
  ready: boolean
  danger?: boolean
  onAdd: () => Promise<unknown>
  pending: boolean
  children: ReactNode
}

/** Form whose button adds the selected item. Selecting an item does not add it yet. */
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
