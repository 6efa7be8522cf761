'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { EmptyState } from '@/app/_components/empty-state'
import { PeopleIcon } from '@/app/_components/icons'
import { Button, Label } from '@/app/_components/primer'
import { UserPicker, usePersonToAdd } from '@/app/_components/user-picker'
import { WorkList } from '@/app/_components/work-list'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { RemovalButton, RemovalDialog } from '@/app/_features/removals/removal-button'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { teamPeopleList } from '@/app/_lib/lists'
import { teamMembersKey, teamMembersQuery } from '@/app/_lib/queries/teams'
import { candidatesKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { offerUndo } from '@/app/_lib/use-undoable'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { RemovalTarget } from '@/server/removals/schema'
import type { Team } from '@/server/teams/schema'
import type { User } from '@/server/users/schema'
import { RemoveMemberButton } from './remove-member-button'
import styles from './team.module.css'

interface TeamMembersProps {
  team: Team
  me: string
  mayManage: boolean
}

export function TeamMembers({ team, me, mayManage }: TeamMembersProps): ReactNode {
  const list = useListChoice(teamPeopleList)
  const rows = useListRows(teamMembersQuery(team.id, list.choice))

  const actionFor = (username: string): ReactNode => {
    if (username === me) return <LeaveTeamButton team={team} me={me} />
    return mayManage ? <RemoveMemberButton team={team} username={username} /> : null
  }
  return (
    <WorkList<User>
      title="Members"
      noun="member"
      icon={PeopleIcon}
      list={list}
      rows={rows}
      idOf={person => person.id}
      nameOf={person => person.login}
      empty={
        <EmptyState
          icon={PeopleIcon}
          title="No members yet"
          action={mayManage ? <AddYourself team={team} me={me} /> : null}
        >
          {mayManage ? <p>Add someone above. They’ll get the team’s access immediately.</p> : null}
        </EmptyState>
      }
      row={(person, check) => (
        <PersonRow
          key={person.id}
          person={person}
          check={check}
          labels={person.login === me ? <Label variant="secondary">You</Label> : null}
          action={actionFor(person.login)}
        />
      )}
      bulk={
        mayManage
          ? {
              takes: person => person.login !== me,
              actions: (people, done) => <RemoveMembersButton team={team} people={people} onDone={done} />,
            }
          : undefined
      }
    />
  )
}

interface RemoveMembersButtonProps {
  team: Team
  people: readonly User[]
  onDone: () => void
}

function RemoveMembersButton({ team, people, onDone }: RemoveMembersButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const many = counted(people.length, 'member', 'members')
  return (
    <RemovalButton
      label={`Remove ${many}`}
      size="small"
      target={{ kind: 'teamMembers', id: team.id, usernames: people.map(({ login }) => login) }}
      title={`Remove ${many} from ${team.name}?`}
      confirm={`Remove ${many}`}
      done={({ members: { total } }) =>
        doneToSeveral(
          'Removed',
          { changed: total, wanted: people.length },
          ['member', 'members'],
          `from ${team.name}`,
        )
      }
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: teamMembersKey(team.id) })
        // The organization's count of people changes, too.
        refreshPage()
      }}
    >
      <p>They’ll immediately lose any access they have only through this team.</p>
    </RemovalButton>
  )
}

/** Button in an empty team that adds the viewer. */
function AddYourself({ team, me }: { team: Team; me: string }): ReactNode {
  const refresh = useRefresh(team)
  const addition = useMutation({
    mutationFn: () => trpc.teams.addMember.mutate({ id: team.id, username: me }),
    onSuccess: async () => {
      toast.success(`You joined ${team.name}`)
      await refresh()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <Button loading={addition.isPending} onClick={() => addition.mutate()}>
      Add yourself
    </Button>
  )
}

function useRefresh(team: Team): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: candidatesKey })
    await queryClient.invalidateQueries({ queryKey: teamMembersKey(team.id) })
    // The organization's count of people changes, too.
    refreshPage()
  }
}

export function AddMember({ team }: { team: Team }): ReactNode {
  const [asking, setAsking] = useState<string>()
  const refresh = useRefresh(team)
  const takeBack = async (username: string): Promise<void> => {
    const target: RemovalTarget = { kind: 'team', id: team.id, username }
    const expected = await trpc.removals.preview.query(target)
    // If they were collaborators before, removing them from the team would also end that access, so ask
    // first.
    if (expected.collaborations.total > 0) setAsking(username)
    else await trpc.removals.confirm.mutate({ target, expected })
  }
  const addition = useMutation({
    mutationFn: (username: string) => trpc.teams.addMember.mutate({ id: team.id, username }),
    onSuccess: async (_, username) => {
      offerUndo({
        done: `Added ${username} to ${team.name}`,
        undo: () => takeBack(username),
        refresh,
      })
      next()
      await refresh()
    },
  })

  const {
    selected,
    picker: { key, ...picker },
    next,
  } = usePersonToAdd(() => addition.reset())

  return (
    <div className={styles.picker}>
      <AddForm
        label="Add member"
        ready={selected !== undefined}
        pending={addition.isPending}
        onAdd={async () => selected && (await addition.mutateAsync(selected).catch(() => undefined))}
      >
        <UserPicker
          key={key}
          {...picker}
          label="Add a member"
          find={{ for: 'team', id: team.id }}
          caption="They’ll also be added to the organization."
          error={addition.error ? readFailure(addition.error).message : undefined}
        />
      </AddForm>
      {asking === undefined ? null : (
        <RemovalDialog
          target={{ kind: 'team', id: team.id, username: asking }}
          title={`Remove ${asking} from ${team.name}?`}
          confirm="Remove member"
          onDone={async () => {
            toast.success(`Removed ${asking} from ${team.name}`)
            setAsking(undefined)
            await refresh()
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>This also removes any access they had before you added them.</p>
        </RemovalDialog>
      )}
    </div>
  )
}

/** Leaves the team after a confirmation, because people who have left may need an owner to add them again. */
function LeaveTeamButton({ team, me }: { team: Team; me: string }): ReactNode {
  const router = useRouter()
  return (
    <RemovalButton
      label="Leave"
      name={`Leave ${team.name}`}
      size="small"
      variant="default"
      target={{ kind: 'team', id: team.id, username: me }}
      isOwn
      title={`Leave the team ${team.name}?`}
      confirm="Leave team"
      done={`You left ${team.name}`}
      onDone={() => {
        router.push('/-/orgs')
        refreshPage()
      }}
    >
      <p>
        You’ll immediately lose any access you have only through this team. To rejoin, ask an owner to add
        you.
      </p>
    </RemovalButton>
  )
}
