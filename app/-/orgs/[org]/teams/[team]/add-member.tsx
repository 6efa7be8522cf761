'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { UserPicker } from '@/app/_components/user-picker'
import { readFailure } from '@/app/_lib/failure'
import { teamMembersQuery } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Team } from '@/server/teams/schema'
import styles from './team.module.css'

/** Whoever is picked is added at once: taking them out again is as quick. */
export function AddMember({ team, page }: { team: Team; page: number }): ReactNode {
  const queryClient = useQueryClient()
  const { data } = useQuery(teamMembersQuery(team.id, page))
  const addition = useMutation({
    mutationFn: (username: string) => trpc.teams.addMember.mutate({ id: team.id, username }),
    onSuccess: async (_, username) => {
      toast.success(`Added ${username} to ${team.name}`)
      await queryClient.invalidateQueries({ queryKey: ['team', team.id, 'members'] })
    },
  })

  return (
    <div className={styles.picker}>
      <UserPicker
        label="Add a member"
        exclude={data?.items.map(member => member.login)}
        caption="They join the organization too, if they are not in it yet."
        error={addition.error ? `${addition.variables}: ${readFailure(addition.error).message}` : undefined}
        onPick={user => addition.mutate(user.login)}
      />
    </div>
  )
}
