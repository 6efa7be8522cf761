import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { workflowsQuery } from '@/app/_features/actions/queries'
import { WorkflowsOff } from '@/app/_features/actions/workflows-off'
import { WorkflowsScreen } from '@/app/_features/actions/workflows-screen'
import { type RepositoryParams, requireActions, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, currentSession } from '@/app/_lib/server'

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Workflows')

export default async function WorkflowsPage({ params }: RepositoryParams): Promise<ReactNode> {
  const home = await requireActions(params)
  const { repository } = home
  const session = await currentSession()
  const path = { owner: repository.owner.login, repo: repository.name }
  const workflows = await (await caller()).workflows.browse(path)
  return (
    <Hydrate entries={[[workflowsQuery(path), workflows]]}>
      <WorkflowsOff home={home} />
      <WorkflowsScreen repository={repository} isFollowed={session !== null} />
    </Hydrate>
  )
}
