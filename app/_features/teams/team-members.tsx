'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { UserPicker, usePersonToAdd } from '@/app/_components/user-picker'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { readFailure } from '@/app/_lib/failure'
import { queryKeys, teamMembersQuery } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Team } from '@/server/teams/schema'
import { RemoveMemberButton } from './remove-member-button'
import styles from './team.module.css'

interface TeamMembersProps {
  team: Team
  page: number
  me: string
  mayManage: boolean
}

export function TeamMembers({ team, page, me, mayManage }: TeamMembersProps): ReactNode {
  const { data } = useQuery({ ...teamMembersQuery(team.id, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  if (data.total === 0) {
    return (
      <EmptyState icon={PeopleIcon} title="Nobody is in this team yet">
        {mayManage ? <p>Type a name above. Whoever you pick has what the team gives at once.</p> : null}
      </EmptyState>
    )
  }

  const actionFor = (username: string): ReactNode => {
    if (username === me) return <LeaveTeamButton team={team} me={me} />
    return mayManage ? <RemoveMemberButton team={team} username={username} /> : null
  }
  return (
    <>
      <ListBox title="Members" total={data.total}>
        {data.items.map(person => (
          <PersonRow
            key={person.id}
            person={person}
            labels={person.login === me ? <Label variant="secondary">You</Label> : null}
            action={actionFor(person.login)}
          />
        ))}
      </ListBox>
      <Pager label="Pages of members" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

export function AddMember({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const addition = useMutation({
    mutationFn: (username: string) => trpc.teams.addMember.mutate({ id: team.id, username }),
    onSuccess: async (_, username) => {
      toast.success(`Added ${username} to ${team.name}`)
      next()
      await queryClient.invalidateQueries({ queryKey: queryKeys.candidates })
      await queryClient.invalidateQueries({ queryKey: queryKeys.team.members(team.id) })
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

/** Asks first: whoever has left may not be able to come back by themselves. */
function LeaveTeamButton({ team, me }: { team: Team; me: string }): ReactNode {
  const router = useRouter()
  return (
    <DepartureButton
      label="Leave"
      name={`Leave ${team.name}`}
      size="small"
      variant="default"
      wayOut={{ way: 'team', id: team.id, username: me }}
      isOwn
      title={`Leave the team ${team.name}?`}
      confirm="Leave team"
      done={`You left ${team.name}`}
      onDone={() => {
        router.push('/-/orgs')
        router.refresh()
      }}
    >
      <p>You lose at once what only this team lets you do. To come back, an owner must add you again.</p>
    </DepartureButton>
  )
}
