'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { keys } from '@/app/_lib/queries'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Team } from '@/server/teams/schema'

export function DetachButton({ team, repo }: { team: Team; repo: string }): ReactNode {
  const queryClient = useQueryClient()
  const path = { id: team.id, org: team.organization.name, repo }
  const removal = useUndoable({
    act: () => trpc.teams.detach.mutate(path),
    undo: () => trpc.teams.attach.mutate(path),
    done: `Took ${repo} from ${team.name}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: keys.team.repositories(team.id) }),
  })

  return (
    <Button size="small" aria-label={`Remove ${repo}`} loading={removal.isPending} onClick={removal.onClick}>
      Remove
    </Button>
  )
}
