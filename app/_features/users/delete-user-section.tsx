'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { DeleteUserDialog } from './delete-user-dialog'

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
