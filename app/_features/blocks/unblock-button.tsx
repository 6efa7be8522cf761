'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { type Blocker, keys } from '@/app/_lib/queries'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'

export function UnblockButton({ org, username }: { org: Blocker; username: string }): ReactNode {
  const queryClient = useQueryClient()
  const unblock = useUndoable({
    act: () =>
      org === undefined
        ? trpc.blocks.unblock.mutate({ username })
        : trpc.blocks.unblockForOrg.mutate({ org, username }),
    undo: () =>
      org === undefined
        ? trpc.blocks.block.mutate({ username })
        : trpc.blocks.blockForOrg.mutate({ org, username }),
    done: `Unblocked ${username}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: keys.blocks }),
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
