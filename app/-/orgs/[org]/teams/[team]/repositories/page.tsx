import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { readTeam, type TeamParams, teamTitle } from '@/app/_features/teams/read-team'
import { AddRepository } from '@/app/_features/teams/repositories/add-repository'
import { AllRepositoriesNotice, TeamRepositories } from '@/app/_features/teams/repositories/team-repositories'
import { Hydrate } from '@/app/_lib/hydrate'
import { teamRepositoryList } from '@/app/_lib/lists'
import { teamRepositoriesQuery } from '@/app/_lib/queries/teams'
import { caller, listChoiceIn, type SearchParams } from '@/app/_lib/server'

interface TeamRepositoriesPageProps extends TeamParams {
  searchParams: SearchParams
}

export function generateMetadata(props: TeamRepositoriesPageProps): Promise<Metadata> {
  return teamTitle(props, 'Repositories')
}

export default async function TeamRepositoriesPage({
  params,
  searchParams,
}: TeamRepositoriesPageProps): Promise<ReactNode> {
  const { access, team } = await readTeam({ params })
  const choice = await listChoiceIn(searchParams, teamRepositoryList)
  const repositories = await (await caller()).teams.browseRepositories({ id: team.id, ...choice })
  const includesAll = team.includes_all_repositories
  // Members of a team with admin permission can also add repositories that they administer.
  const mayAdd = !includesAll && (access.may_manage || team.permission === 'admin')

  return (
    <Hydrate entries={[[teamRepositoriesQuery(team.id, choice), repositories]]}>
      {includesAll ? <AllRepositoriesNotice team={team} mayManage={access.may_manage} /> : null}
      {mayAdd ? <AddRepository team={team} /> : null}
      <TeamRepositories team={team} mayAdd={mayAdd} />
    </Hydrate>
  )
}
