import { GitBranchIcon } from '@primer/octicons-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { SearchBox } from '@/app/_components/query-controls'
import { type RepositoryParams, requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { BranchRow, MakeDefaultButton } from '@/app/_features/repos/refs/ref-rows'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface BranchesPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Branches')

export default async function BranchesPage({ params, searchParams }: BranchesPageProps): Promise<ReactNode> {
  const { repository, may_administer: mayAdminister } = await requireCode(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const page = await pageParam(searchParams)
  const q = await textParam(searchParams, 'q')
  const { items, total, limit } = await (await caller()).repos.branches.browse({ ...path, page, q })
  const isDefault = (name: string): boolean => name === repository.default_branch

  return (
    <>
      {total > 0 || q ? <SearchBox label="Find a branch" placeholder="Find a branch" q={q} /> : null}
      {total === 0 ? (
        <EmptyState icon={GitBranchIcon} title={q ? 'No such branch' : 'No branches yet'}>
          <p>{q ? `No branch has “${q}” in its name.` : 'A branch appears here when it is pushed.'}</p>
        </EmptyState>
      ) : (
        <ListBox title="Branches" total={total}>
          {items.map(branch => (
            <BranchRow
              key={branch.name}
              branch={branch}
              isDefault={isDefault(branch.name)}
              action={
                mayAdminister && !isDefault(branch.name) ? (
                  <MakeDefaultButton path={path} branch={branch.name} former={repository.default_branch} />
                ) : null
              }
            />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of branches" page={page} limit={limit} total={total} />
    </>
  )
}
