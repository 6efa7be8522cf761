import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { LabelsScreen } from '@/app/_features/labels/labels-screen'
import { labelsQuery } from '@/app/_features/labels/queries'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, currentSession, pageParam, type SearchParams } from '@/app/_lib/server'

interface LabelsPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Labels')

export default async function LabelsPage({ params, searchParams }: LabelsPageProps): Promise<ReactNode> {
  const { username, repo } = await params
  const { repository } = await repositoryAt(username, repo)
  const holder = { owner: repository.owner.login, repo: repository.name }
  const page = await pageParam(searchParams)
  const labels = await (await caller()).labels.page.show({ holder, page })
  const session = await currentSession()
  return (
    <Hydrate entries={[[labelsQuery(holder, page), labels]]}>
      <LabelsScreen
        holder={holder}
        topics={session ? [{ topic: 'repository', id: repository.id }] : []}
        page={page}
      />
    </Hydrate>
  )
}
