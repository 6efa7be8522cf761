import { TagIcon } from '@primer/octicons-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { SearchBox } from '@/app/_components/query-controls'
import { type RepositoryParams, requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { TagRow } from '@/app/_features/repos/refs/ref-rows'
import { firstLine } from '@/app/_lib/format'
import { releasePath, repositoryPath } from '@/app/_lib/paths'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface TagsPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Tags')

export default async function TagsPage({ params, searchParams }: TagsPageProps): Promise<ReactNode> {
  const { repository, releases, may_release: mayRelease } = await requireCode(params)
  const page = await pageParam(searchParams)
  const q = await textParam(searchParams, 'q')
  const { items, total, limit } = await (await caller()).repos.tags.browse({
    owner: repository.owner.login,
    repo: repository.name,
    page,
    q,
  })
  const released =
    releases === null || items.length === 0
      ? []
      : await (await caller()).releases.pages.listReleasedTags({
          owner: repository.owner.login,
          repo: repository.name,
          tags: items.map(({ name }) => name),
        })
  const releaseOf = (tag: string): string | undefined => {
    if (released.some(name => name.toLowerCase() === tag.toLowerCase())) return releasePath(repository, tag)
    return mayRelease ? repositoryPath(repository, `releases/new?tag=${encodeURIComponent(tag)}`) : undefined
  }

  return (
    <>
      {total > 0 || q ? <SearchBox label="Find a tag" placeholder="Find a tag" q={q} /> : null}
      {total === 0 && q ? (
        <EmptyState icon={TagIcon} title="No such tag">
          <p>{`No tag has “${q}” in its name.`}</p>
        </EmptyState>
      ) : total === 0 ? (
        <EmptyState icon={TagIcon} title="No tags yet">
          <p>A tag gives a commit a lasting name, such as a version. Make one and push it:</p>
          <CommandLine command={'git tag v1.0\ngit push origin v1.0'} what="commands" />
        </EmptyState>
      ) : (
        <ListBox title="Tags" total={total}>
          {items.map(tag => (
            <TagRow
              key={tag.name}
              tag={{ ...tag, message: firstLine(tag.message) }}
              release={releaseOf(tag.name)}
            />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of tags" page={page} limit={limit} total={total} />
    </>
  )
}
