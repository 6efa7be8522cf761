import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { runsQuery } from '@/app/_features/actions/queries'
import { runChoice } from '@/app/_features/actions/run-choice'
import { RunsScreen } from '@/app/_features/actions/runs-screen'
import { WorkflowsOff } from '@/app/_features/actions/workflows-off'
import { type RepositoryParams, requireActions, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, currentSession, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface ActionsPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Actions')

export default async function ActionsPage({ params, searchParams }: ActionsPageProps): Promise<ReactNode> {
  const home = await requireActions(params)
  const { repository } = home
  const [session, page, status, branch, event, workflow] = await Promise.all([
    currentSession(),
    pageParam(searchParams),
    textParam(searchParams, 'status'),
    textParam(searchParams, 'branch'),
    textParam(searchParams, 'event'),
    textParam(searchParams, 'workflow'),
  ])
  const choice = runChoice({ status, branch, event, workflow, page })
  const path = { owner: repository.owner.login, repo: repository.name }
  const runs = await (await caller()).actions.runs.browse({ ...path, ...choice })
  return (
    <Hydrate entries={[[runsQuery(path, choice), runs]]}>
      <WorkflowsOff home={home} />
      <RunsScreen repository={repository} choice={choice} isFollowed={session !== null} />
    </Hydrate>
  )
}
