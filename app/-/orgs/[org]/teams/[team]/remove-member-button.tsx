'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Team } from '@/server/teams/schema'

export function RemoveMemberButton({ team, username }: { team: Team; username: string }): ReactNode {
  const queryClient = useQueryClient()
  const path = { id: team.id, username }
  const removal = useUndoable({
    act: () => trpc.teams.removeMember.mutate(path),
    undo: () => trpc.teams.addMember.mutate(path),
    done: `Removed ${username} from ${team.name}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: ['team', team.id, 'members'] }),
  })

  return (
    <Button
      size="small"
      aria-label={`Remove ${username}`}
      loading={removal.isPending}
      onClick={removal.onClick}
    >
      Remove
    </Button>
  )
}
