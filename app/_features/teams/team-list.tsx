'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { PeopleIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { WorkList } from '@/app/_components/work-list'
import styles from '@/app/_features/orgs/orgs.module.css'
import { RemovalButton } from '@/app/_features/removals/removal-button'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { teamList } from '@/app/_lib/lists'
import { teamPath } from '@/app/_lib/paths'
import { teamsKey, teamsQuery } from '@/app/_lib/queries/teams'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BrowsedTeam } from '@/server/teams/schema'
import { accessSummary } from './permissions/summaries'

interface TeamListProps {
  org: string
  mayManage: boolean
}

export function TeamList({ org, mayManage }: TeamListProps): ReactNode {
  const list = useListChoice(teamList)
  const rows = useListRows(teamsQuery(org, list.choice))
  return (
    <WorkList<BrowsedTeam>
      title="Teams"
      noun="team"
      icon={PeopleIcon}
      list={list}
      rows={rows}
      idOf={team => team.id}
      nameOf={team => team.name}
      empty={<EmptyState icon={PeopleIcon} title="No teams" />}
      row={(team, check) => (
        <TeamRow key={team.id} org={org} team={team} check={check} mayOpen={team.is_member || mayManage} />
      )}
      bulk={
        mayManage
          ? {
              takes: team => team.permission !== 'owner',
              actions: (teams, done) => <DeleteTeamsButton org={org} teams={teams} onDone={done} />,
            }
          : undefined
      }
    />
  )
}

interface TeamRowProps {
  org: string
  team: BrowsedTeam
  check: ReactNode
  mayOpen: boolean
}

function TeamRow({ org, team, check, mayOpen }: TeamRowProps): ReactNode {
  const { name, description, member_count, repository_count, can_create_org_repo, is_member } = team
  const repositories = counted(repository_count, 'repository', 'repositories')
  return (
    <ListRow check={check} visual={<PeopleIcon />}>
      <div className={styles.title}>
        <strong>{mayOpen ? <QuietLink href={teamPath(org, name)}>{name}</QuietLink> : name}</strong>
        {is_member ? <Label variant="accent">Your team</Label> : null}
      </div>
      {description ? (
        <p className={styles.muted}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <RowFacts>
        <span>{counted(member_count, 'member', 'members')}</span>
        <span>
          {team.includes_all_repositories
            ? `All repositories (${repository_count.toLocaleString('en-US')})`
            : repositories}
        </span>
        <span>{accessSummary(team)}</span>
        {can_create_org_repo ? <span>Can create repositories</span> : null}
      </RowFacts>
    </ListRow>
  )
}

interface DeleteTeamsButtonProps {
  org: string
  teams: readonly BrowsedTeam[]
  onDone: () => void
}

function DeleteTeamsButton({ org, teams, onDone }: DeleteTeamsButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const many = counted(teams.length, 'team', 'teams')
  return (
    <RemovalButton
      label={`Delete ${many}`}
      size="small"
      target={{ kind: 'deletedTeams', org, ids: teams.map(({ id }) => id) }}
      title={`Delete ${many} from ${org}?`}
      confirm={`Delete ${many}`}
      typedName={many}
      done={({ teams: { total } }) =>
        doneToSeveral('Deleted', { changed: total, wanted: teams.length }, ['team', 'teams'], `from ${org}`)
      }
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: teamsKey(org) })
        // The organization's counts of teams and people change, too.
        refreshPage()
      }}
    >
      <p>Repositories aren’t deleted. This can’t be undone.</p>
    </RemovalButton>
  )
}
