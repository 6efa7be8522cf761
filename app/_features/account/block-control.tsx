'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { BlockDialog } from '@/app/_features/blocks/block-dialog'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'

/** Blocks the person whose page it is, or unblocks them. */
export function BlockControl({ username, isBlocked }: { username: string; isBlocked: boolean }): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const unblocking = useMutation({
    mutationFn: () => trpc.blocks.unblock.mutate({ username }),
    onSuccess: () => {
      toast.success(`Unblocked ${username}`)
      router.refresh()
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
            router.refresh()
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
