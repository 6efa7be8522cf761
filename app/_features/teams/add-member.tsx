'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { UserPicker } from '@/app/_components/user-picker'
import { readFailure } from '@/app/_lib/failure'
import { keys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { usePersonToAdd } from '@/app/_lib/use-person-to-add'
import type { Team } from '@/server/teams/schema'
import styles from './team.module.css'

export function AddMember({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const addition = useMutation({
    mutationFn: (username: string) => trpc.teams.addMember.mutate({ id: team.id, username }),
    onSuccess: async (_, username) => {
      toast.success(`Added ${username} to ${team.name}`)
      next()
      await queryClient.invalidateQueries({ queryKey: keys.candidates })
      await queryClient.invalidateQueries({ queryKey: keys.team.members(team.id) })
      // The organization's own count of people.
      router.refresh()
    },
  })

  const {
    chosen,
    picker: { key, ...picker },
    next,
  } = usePersonToAdd(() => addition.reset())

  return (
    <div className={styles.picker}>
      <AddForm
        label="Add member"
        ready={chosen !== undefined}
        pending={addition.isPending}
        onAdd={async () => chosen && (await addition.mutateAsync(chosen).catch(() => undefined))}
      >
        <UserPicker
          key={key}
          {...picker}
          label="Add a member"
          find={{ for: 'team', id: team.id }}
          caption="They join the organization too, if they are not in it yet."
          error={addition.error ? readFailure(addition.error).message : undefined}
        />
      </AddForm>
    </div>
  )
}
