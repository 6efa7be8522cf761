'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'

interface MakeDefaultButtonProps {
  path: RepoPath
  branch: string
  /** The default until now, to which undoing leads back. */
  former: string
}

export function MakeDefaultButton({ path, branch, former }: MakeDefaultButtonProps): ReactNode {
  const router = useRouter()
  const choose = (name: string) => trpc.repos.edit.mutate({ ...path, default_branch: name })
  const change = useUndoable({
    act: () => choose(branch),
    undo: () => choose(former),
    done: `${branch} is the default branch`,
    refresh: async () => router.refresh(),
  })

  return (
    <Button
      size="small"
      aria-label={`Make ${branch} the default branch`}
      loading={change.isPending}
      onClick={change.onClick}
    >
      Make default
    </Button>
  )
}
