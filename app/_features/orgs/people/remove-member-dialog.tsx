'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { toast } from '@/app/_lib/toast'

interface RemoveMemberDialogProps {
  org: string
  username: string
  /** Before the list shows it. */
  onRemoved: () => void
  onClose: () => void
}

export function RemoveMemberDialog(props: RemoveMemberDialogProps): ReactNode {
  const { org, username, onRemoved, onClose } = props
  const router = useRouter()
  const queryClient = useQueryClient()
  const removed = async (): Promise<void> => {
    onRemoved()
    toast.success(`Removed ${username} from ${org}`)
    await queryClient.invalidateQueries({ queryKey: ['org-members', org] })
    router.refresh()
    onClose()
  }

  return (
    <DepartureDialog
      wayOut={{ way: 'organization', org, username }}
      title={`Remove ${username} from ${org}?`}
      confirm="Remove member"
      onDone={removed}
      onClose={onClose}
    >
      <p>To take them in again, add them to each of their teams.</p>
    </DepartureDialog>
  )
}
