'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { audienceOf } from '@/app/_features/repos/access/access-labels'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Repository } from '@/server/repos/schema'

interface VisibilityDialogProps {
  repository: Repository
  onClose: () => void
}

export function VisibilityDialog({ repository, onClose }: VisibilityDialogProps): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  const toPrivate = !repository.private
  const word = toPrivate ? 'private' : 'public'
  const change = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, private: toPrivate }),
    onSuccess: () => {
      toast.success(`${full_name} is ${word}`)
      onClose()
      router.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Make ${full_name} ${word}?`}
      confirm={`Make ${word}`}
      pending={change.isPending}
      failure={change.error ? readFailure(change.error).message : undefined}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {toPrivate ? (
        <>
          <p>
            Only its owners, its collaborators and the teams it belongs to will see it. Everybody else loses
            access at once, and its pages answer as if there were nothing.
          </p>
          <p>Copies that were cloned before stay where they are.</p>
        </>
      ) : (
        <>
          <p>
            At once, {audienceOf(repository.owner)} can see and clone it: every branch and tag with its whole
            history, and the activity.
          </p>
          <p>Look for passwords and keys in old commits first. What was cloned cannot be taken back.</p>
        </>
      )}
    </ConfirmDialog>
  )
}
