'use client'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-button'
import type { Blocker } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'

interface BlockDialogProps {
  /** The organization that blocks; oneself without. */
  org?: Blocker
  username: string
  note?: string | undefined
  onDone: () => unknown
  onClose: () => void
}

export function BlockDialog({ org, username, note, onDone, onClose }: BlockDialogProps): ReactNode {
  const given = note ? { username, note } : { username }
  return (
    <DepartureDialog
      wayOut={org === undefined ? { way: 'block', ...given } : { way: 'organizationBlock', org, ...given }}
      title={`Block ${username}?`}
      confirm={`Block ${username}`}
      onDone={async () => {
        toast.success(`Blocked ${username}`)
        await onDone()
      }}
      onClose={onClose}
    >
      <p>
        {org === undefined
          ? 'They can no longer be given access to your repositories, nor you to theirs. They are not told.'
          : `They can no longer be added to a team of ${org} or as a collaborator. They are not told.`}
      </p>
    </DepartureDialog>
  )
}
