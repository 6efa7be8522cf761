'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { DepartureDialog } from '@/app/_features/departures/departure-button'
import { usersKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'

interface DeleteUserDialogProps {
  username: string
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteUserDialog({ username, onClose, onDeleted }: DeleteUserDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const deleted = async (): Promise<void> => {
    toast.success(`Deleted the user ${username}`)
    onDeleted?.()
    onClose()
    await queryClient.invalidateQueries({ queryKey: usersKey })
  }

  return (
    <DepartureDialog
      wayOut={{ way: 'deletedUser', username }}
      title={`Delete the user ${username}?`}
      confirm="Delete user"
      typedName={username}
      onDone={deleted}
      onClose={onClose}
    >
      <p>
        The account is deleted with its SSH keys, access tokens and sessions. Everything that uses them stops
        working at once. This cannot be undone.
      </p>
      <p>To keep the account and only lock it, disable signing in instead.</p>
    </DepartureDialog>
  )
}

export function DeleteUserSection({ username }: { username: string }): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  return (
    <Panel title="Delete the account">
      <div className={form.form}>
        <p>The account goes with its SSH keys, access tokens and sessions. This cannot be undone.</p>
        <div className={form.actions}>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete this account
          </Button>
        </div>
      </div>
      {asking ? (
        <DeleteUserDialog
          username={username}
          onClose={() => setAsking(false)}
          onDeleted={() => router.push('/-/admin/users')}
        />
      ) : null}
    </Panel>
  )
}
