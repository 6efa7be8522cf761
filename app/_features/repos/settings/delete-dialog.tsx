'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Repository } from '@/server/repos/schema'

interface DeleteDialogProps {
  repository: Repository
  onClose: () => void
}

export function DeleteDialog({ repository, onClose }: DeleteDialogProps): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  const removal = useMutation({
    mutationFn: () => trpc.repos.remove.mutate({ owner: owner.login, repo: name }),
    onSuccess: () => {
      toast.success(`Deleted ${full_name}`)
      router.push('/')
      router.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Delete ${full_name}?`}
      confirm="Delete repository"
      typedName={full_name}
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        Every branch, tag and commit is deleted, and what its collaborators and teams may do with it. Clones
        stop working with it at once. This cannot be undone.
      </p>
      <p>To keep it and only stop changes, archive it instead.</p>
    </ConfirmDialog>
  )
}
