import { TagIcon } from '@primer/octicons-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/command-line'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { pageParam, type SearchParams } from '@/app/_lib/search-params'
import { caller } from '@/app/_lib/server'
import { TagRow } from '@/app/_repos/refs/tag-row'
import { type RepositoryParams, titleOf } from '../repository-at'
import { requireCode } from '../require-code'

interface TagsPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Tags')

export default async function TagsPage({ params, searchParams }: TagsPageProps): Promise<ReactNode> {
  const { repository } = await requireCode(params)
  const page = await pageParam(searchParams)
  const { items, total, limit } = await (await caller()).repos.tags.list({
    owner: repository.owner.login,
    repo: repository.name,
    page,
  })

  return (
    <>
      {total === 0 ? (
        <EmptyState icon={TagIcon} title="No tags yet">
          <p>A tag gives a commit a lasting name, such as a version. Make one and push it:</p>
          <CommandLine command={'git tag v1.0\ngit push origin v1.0'} what="commands" />
        </EmptyState>
      ) : (
        <ListBox title="Tags" total={total}>
          {items.map(tag => (
            <TagRow key={tag.name} tag={tag} />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of tags" page={page} limit={limit} total={total} />
    </>
  )
}
