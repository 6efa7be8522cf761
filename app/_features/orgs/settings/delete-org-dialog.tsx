'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { toast } from '@/app/_lib/toast'

export function DeleteOrgDialog({ org, onClose }: { org: string; onClose: () => void }): ReactNode {
  const router = useRouter()
  return (
    <DepartureDialog
      wayOut={{ way: 'deletedOrganization', org }}
      title={`Delete the organization ${org}?`}
      confirm="Delete organization"
      typedName={org}
      onDone={() => {
        toast.success(`Deleted the organization ${org}`)
        router.push('/-/orgs')
        router.refresh()
      }}
      onClose={onClose}
    >
      <p>Its blocks are deleted with it, and somebody else can take the name then. This cannot be undone.</p>
    </DepartureDialog>
  )
}
