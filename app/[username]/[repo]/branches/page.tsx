import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { commitStates, FollowChecks } from '@/app/_features/repos/follow-checks'
import { type RepositoryParams, requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { BranchList } from '@/app/_features/repos/refs/branch-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { branchList } from '@/app/_lib/lists'
import { branchesQuery, divergenceQuery, statesQuery } from '@/app/_lib/queries/refs'
import { caller, listChoiceIn, renderedIncomplete, type SearchParams } from '@/app/_lib/server'

interface BranchesPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Branches')

export default async function BranchesPage({ params, searchParams }: BranchesPageProps): Promise<ReactNode> {
  const { repository, may_administer: mayAdminister, may_push: mayPush } = await requireCode(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const choice = await listChoiceIn(searchParams, branchList)
  const branches = await (await caller()).repos.branches.browse({ ...path, ...choice })
  const shas = branches.items.map(({ sha }) => sha)
  const states = await commitStates(repository, shas)
  const divergence = await (await caller()).code.pages.showDivergence({
    ...path,
    branches: branches.items.map(({ name }) => name),
    waits: false,
  })
  if (!divergence.isFinal) renderedIncomplete()

  return (
    <Hydrate
      entries={[
        [branchesQuery(path, choice), branches],
        [statesQuery(path, shas), states],
        ...(divergence.isFinal ? [[divergenceQuery(path, branches.items), divergence] as const] : []),
      ]}
    >
      <FollowChecks repository={repository} />
      <BranchList
        path={path}
        defaultBranch={repository.default_branch}
        mayPush={mayPush}
        mayAdminister={mayAdminister}
        hasCommits={!repository.empty}
      />
    </Hydrate>
  )
}
