'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { RemovalDialog } from '@/app/_features/removals/removal-button'
import { readFailure } from '@/app/_lib/failure'
import type { Blocker } from '@/app/_lib/queries/blocks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'

/** Blocks the person whose page it is, or unblocks them. */
export function BlockControl({ username, isBlocked }: { username: string; isBlocked: boolean }): ReactNode {
  const [asking, setAsking] = useState(false)
  const unblocking = useMutation({
    mutationFn: () => trpc.blocks.unblock.mutate({ username }),
    onSuccess: () => {
      toast.success(`Unblocked ${username}`)
      refreshPage()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  if (isBlocked) {
    return (
      <Button size="small" loading={unblocking.isPending} onClick={() => unblocking.mutate()}>
        Unblock
      </Button>
    )
  }
  return (
    <>
      <Button size="small" variant="invisible" onClick={() => setAsking(true)}>
        Block…
      </Button>
      {asking ? (
        <BlockDialog
          username={username}
          onDone={() => {
            setAsking(false)
            refreshPage()
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

interface BlockDialogProps {
  /** The organization that blocks; oneself without. */
  org?: Blocker
  username: string
  note?: string | undefined
  onDone: () => unknown
  onClose: () => void
}

export function BlockDialog({ org, username, note, onDone, onClose }: BlockDialogProps): ReactNode {
  const input = note ? { username, note } : { username }
  return (
    <RemovalDialog
      target={org === undefined ? { kind: 'block', ...input } : { kind: 'organizationBlock', org, ...input }}
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
    </RemovalDialog>
  )
}
