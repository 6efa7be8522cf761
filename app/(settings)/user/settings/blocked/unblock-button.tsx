'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'

/** Acts at once and offers the way back, instead of asking first. */
export function UnblockButton({ username }: { username: string }): ReactNode {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['blocks'] })
  const fail = (error: unknown) => toast.error(readFailure(error).message)

  const blockAgain = async (): Promise<void> => {
    try {
      await trpc.blocks.block.mutate({ username })
      await refresh()
    } catch (error) {
      fail(error)
    }
  }
  const unblock = useMutation({
    mutationFn: () => trpc.blocks.unblock.mutate({ username }),
    onSuccess: async () => {
      toast.success(`Unblocked ${username}`, {
        duration: 10_000,
        action: { label: 'Undo', onClick: () => void blockAgain() },
      })
      await refresh()
    },
    onError: fail,
  })

  return (
    <Button
      size="small"
      aria-label={`Unblock ${username}`}
      loading={unblock.isPending}
      onClick={() => unblock.mutate()}
    >
      Unblock
    </Button>
  )
}
