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

/** Button on a person's page that blocks or unblocks them. */
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
  /** Organization that blocks the person; undefined if the viewer does. */
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
          ? 'Neither of you can be added to the other’s repositories. They won’t be notified that you blocked them.'
          : `They can’t be added to ${org}’s teams or as collaborators on its repositories. They won’t be notified that they’re blocked.`}
      </p>
    </RemovalDialog>
  )
}
