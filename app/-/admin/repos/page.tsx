import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { RepositoriesScreen } from '@/app/_features/administration/repositories-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { repositoryList } from '@/app/_lib/lists'
import { repositoriesQuery } from '@/app/_lib/queries/repositories'
import { caller, listChoiceIn, requireAdmin, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Repositories' }

export default async function SiteRepositoriesPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const choice = await listChoiceIn(searchParams, repositoryList)
  const found = await (await caller()).repos.browse({ scope: 'all', ...choice })
  return (
    <Hydrate entries={[[repositoriesQuery('all', choice), found]]}>
      <RepositoriesScreen />
    </Hydrate>
  )
}
