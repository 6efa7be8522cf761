import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { type RepositoryParams, requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { BranchList } from '@/app/_features/repos/refs/branch-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { branchList } from '@/app/_lib/lists'
import { branchesQuery } from '@/app/_lib/queries/refs'
import { caller, listChoiceIn, type SearchParams } from '@/app/_lib/server'

interface BranchesPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Branches')

export default async function BranchesPage({ params, searchParams }: BranchesPageProps): Promise<ReactNode> {
  const { repository, may_administer: mayAdminister, may_push: mayPush } = await requireCode(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const choice = await listChoiceIn(searchParams, branchList)
  const branches = await (await caller()).repos.branches.browse({ ...path, ...choice })

  return (
    <Hydrate entries={[[branchesQuery(path, choice), branches]]}>
      <BranchList
        path={path}
        defaultBranch={repository.default_branch}
        mayPush={mayPush}
        mayAdminister={mayAdminister}
      />
    </Hydrate>
  )
}
