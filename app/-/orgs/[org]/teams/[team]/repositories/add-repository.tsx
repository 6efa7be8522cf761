'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { teamRepositoriesQuery } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { RepositoryPicker } from '@/app/-/orgs/_teams/repository-picker'
import type { Team } from '@/server/teams/schema'
import styles from '../team.module.css'

/** Whatever is picked is added at once: taking it away again is as quick. */
export function AddRepository({ team, page }: { team: Team; page: number }): ReactNode {
  const queryClient = useQueryClient()
  const { data } = useQuery(teamRepositoriesQuery(team.id, page))
  const { id: ownerId, name: org } = team.organization
  const addition = useMutation({
    mutationFn: (repo: string) => trpc.teams.attach.mutate({ id: team.id, org, repo }),
    onSuccess: async (_, repo) => {
      toast.success(`Added ${repo} to ${team.name}`)
      await queryClient.invalidateQueries({ queryKey: ['team', team.id, 'repositories'] })
    },
  })

  return (
    <div className={styles.picker}>
      <RepositoryPicker
        label="Add a repository"
        ownerId={ownerId}
        exclude={data?.items.map(repository => repository.id)}
        caption="Only repositories of the organization that you administer."
        error={addition.error ? `${addition.variables}: ${readFailure(addition.error).message}` : undefined}
        onPick={repository => addition.mutate(repository.name)}
      />
    </div>
  )
}
