import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { readBranches, requireWriter } from '@/app/_features/releases/editor/read-editor'
import { ReleaseEditor } from '@/app/_features/releases/editor/release-editor'
import { type RepositoryParams, titleOf } from '@/app/_features/repos/read-repository'
import { repositoryPath } from '@/app/_lib/paths'
import { caller, type SearchParams, textParam } from '@/app/_lib/server'

interface NewReleasePageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'New release')

export default async function NewReleasePage({
  params,
  searchParams,
}: NewReleasePageProps): Promise<ReactNode> {
  const { repository } = await requireWriter(params)
  // The releases page explains that a commit must be pushed first.
  if (repository.empty) redirect(repositoryPath(repository, 'releases'))
  const { releases } = await caller()
  const [branches, limits, tag] = await Promise.all([
    readBranches(repository),
    releases.uploadLimits(),
    textParam(searchParams, 'tag'),
  ])
  return (
    <ReleaseEditor
      repository={repository}
      release={null}
      assets={[]}
      branches={branches}
      limits={limits}
      tag={tag}
    />
  )
}
