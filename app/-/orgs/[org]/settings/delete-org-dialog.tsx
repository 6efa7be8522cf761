'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'

export function DeleteOrgDialog({ org, onClose }: { org: string; onClose: () => void }): ReactNode {
  const router = useRouter()
  const removal = useMutation({
    mutationFn: () => trpc.orgs.remove.mutate({ org }),
    onSuccess: () => {
      toast.success(`Deleted the organization ${org}`)
      router.push('/-/orgs')
      router.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Delete the organization ${org}?`}
      confirm="Delete organization"
      typedName={org}
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        Its teams, memberships and blocks are deleted with it. Somebody else can take the name then. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
