'use client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LazyConfirmDialog } from '@/app/_components/confirm-button'
import { readFailure } from '@/app/_lib/failure'
import { counted, formatBytes, listNames } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import type { ShownArtifact } from '@/server/artifacts/contents/schema'

interface RemoveDialogProps {
  path: RepoPath
  run: number
  artifacts: readonly ShownArtifact[]
  onRemoved: () => unknown
  onClose: () => void
}

const named = 5

/** Asks before artifacts are deleted and shows how much space that frees. */
export function RemoveDialog({ path, run, artifacts, onRemoved, onClose }: RemoveDialogProps): ReactNode {
  const [first] = artifacts
  const isOne = artifacts.length === 1
  const size = artifacts.reduce((sum, { state, size }) => sum + (state === 'available' ? size : 0), 0)
  const what = isOne ? isolated(first?.name ?? '') : counted(artifacts.length, 'artifact', 'artifacts')
  const removal = useMutation({
    mutationFn: () =>
      trpc.artifacts.contents.remove.mutate({ ...path, run, ids: artifacts.map(({ id }) => id) }),
    onSuccess: async ({ removed, freed }) => {
      const done = isOne ? `Deleted ${what}` : `Deleted ${counted(removed, 'artifact', 'artifacts')}`
      toast.success(freed > 0 ? `${done} and freed up ${formatBytes(freed)}` : done)
      await onRemoved()
    },
  })
  return (
    <LazyConfirmDialog
      title={`Delete ${what}?`}
      confirm={isOne ? 'Delete artifact' : `Delete ${what}`}
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {isOne ? null : (
        <p>
          {listNames({
            total: artifacts.length,
            names: artifacts.slice(0, named).map(({ name }) => isolated(name)),
          })}
        </p>
      )}
      <p>
        {size > 0 ? `This frees up ${formatBytes(size)}. ` : null}
        {isOne
          ? 'The artifact can’t be restored, and links to it will stop working.'
          : 'They can’t be restored, and links to them will stop working.'}
      </p>
    </LazyConfirmDialog>
  )
}
