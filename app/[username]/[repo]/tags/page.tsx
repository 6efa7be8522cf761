import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { commitStates, FollowChecks } from '@/app/_features/repos/follow-checks'
import { type RepositoryParams, requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { TagList } from '@/app/_features/repos/refs/tag-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { tagList } from '@/app/_lib/lists'
import { statesQuery, tagsQuery } from '@/app/_lib/queries/refs'
import { caller, listChoiceIn, type SearchParams } from '@/app/_lib/server'

interface TagsPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Tags')

export default async function TagsPage({ params, searchParams }: TagsPageProps): Promise<ReactNode> {
  const { repository, may_release: mayRelease, may_push: mayPush } = await requireCode(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const choice = await listChoiceIn(searchParams, tagList)
  const tags = await (await caller()).repos.tags.browse({ ...path, ...choice })
  const shas = tags.items.map(({ sha }) => sha)
  const states = await commitStates(repository, shas)

  return (
    <Hydrate
      entries={[
        [tagsQuery(path, choice), tags],
        [statesQuery(path, shas), states],
      ]}
    >
      <FollowChecks repository={repository} />
      <TagList repository={repository} mayPush={mayPush} mayRelease={mayRelease} />
    </Hydrate>
  )
}
