'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { type Blocker, blockUser, unblockUser } from '@/app/_lib/blocker'
import { useUndoable } from '@/app/_lib/use-undoable'

export function UnblockButton({ org, username }: { org: Blocker; username: string }): ReactNode {
  const queryClient = useQueryClient()
  const unblock = useUndoable({
    act: () => unblockUser(org, username),
    undo: () => blockUser(org, { username }),
    done: `Unblocked ${username}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: ['blocks'] }),
  })

  return (
    <Button
      size="small"
      aria-label={`Unblock ${username}`}
      loading={unblock.isPending}
      onClick={unblock.onClick}
    >
      Unblock
    </Button>
  )
}
