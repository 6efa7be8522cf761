'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { RemovalDialog } from '@/app/_features/removals/removal-button'
import { teamMembersKey } from '@/app/_lib/queries/teams'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { RemovalTarget } from '@/server/removals/schema'
import type { Team } from '@/server/teams/schema'

/**
 * Removes a member immediately if Undo can restore everything. Asks first if this is the member's last team,
 * because more is removed then.
 */
export function RemoveMemberButton({ team, username }: { team: Team; username: string }): ReactNode {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const path = { id: team.id, username }
  const target: RemovalTarget = { kind: 'team', ...path }
  const done = `Removed ${username} from ${team.name}`
  const refresh = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: teamMembersKey(team.id) })
    // The organization's count of people changes, too.
    refreshPage()
  }
  const removal = useUndoable({
    act: async () => {
      const expected = await trpc.removals.preview.query(target)
      if (expected.organizations.total > 0) {
        setAsking(true)
        return false
      }
      await trpc.removals.confirm.mutate({ target, expected })
    },
    undo: () => trpc.teams.addMember.mutate(path),
    done,
    refresh,
  })
  const removed = async (): Promise<void> => {
    toast.success(done)
    await refresh()
    setAsking(false)
  }

  return (
    <>
      <Button
        size="small"
        aria-label={`Remove ${username}`}
        loading={removal.isPending}
        onClick={removal.onClick}
      >
        Remove
      </Button>
      {asking ? (
        <RemovalDialog
          target={target}
          title={`Remove ${username} from their last team?`}
          confirm="Remove member"
          onDone={removed}
          onClose={() => setAsking(false)}
        >
          <p>To add them back, add them to a team again.</p>
        </RemovalDialog>
      ) : null}
    </>
  )
}
