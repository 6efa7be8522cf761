'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { toast } from '@/app/_lib/toast'

interface LeaveDialogProps {
  org: string
  me: string
  onClose: () => void
}

export function LeaveDialog({ org, me, onClose }: LeaveDialogProps): ReactNode {
  const router = useRouter()
  return (
    <DepartureDialog
      wayOut={{ way: 'organization', org, username: me }}
      isOwn
      title={`Leave ${org}?`}
      confirm="Leave organization"
      onDone={() => {
        toast.success(`You left ${org}`)
        router.push('/-/orgs')
        router.refresh()
      }}
      onClose={onClose}
    >
      <p>To come back, an owner must add you to a team again.</p>
    </DepartureDialog>
  )
}
