'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import { keys } from '@/app/_lib/queries'

/** Removes somebody from an organization and all of its teams. */
export function RemoveMemberButton({ org, username }: { org: string; username: string }): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  return (
    <DepartureButton
      label="Remove"
      name={`Remove ${username}`}
      size="small"
      wayOut={{ way: 'organization', org, username }}
      title={`Remove ${username} from ${org}?`}
      confirm="Remove member"
      done={`Removed ${username} from ${org}`}
      onDone={async () => {
        await queryClient.invalidateQueries({ queryKey: keys.orgMembers(org) })
        router.refresh()
      }}
    >
      <p>To take them in again, add them to each of their teams.</p>
    </DepartureButton>
  )
}
