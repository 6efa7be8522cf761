import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { readBranches, requireWriter } from '@/app/_features/releases/editor/read-editor'
import { ReleaseEditor } from '@/app/_features/releases/editor/release-editor'
import { type TaggedParams, tagIn } from '@/app/_features/releases/tag-in'
import { titleOf } from '@/app/_features/repos/read-repository'
import { releasePath } from '@/app/_lib/paths'
import { caller, orNotFound } from '@/app/_lib/server'

export const generateMetadata = async (props: TaggedParams): Promise<Metadata> =>
  titleOf(props, `Edit ${await tagIn(props.params)}`)

export default async function EditReleasePage({ params }: TaggedParams): Promise<ReactNode> {
  const { repository } = await requireWriter(params)
  const { releases } = await caller()
  const tag = await tagIn(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const [{ release, assets }, branches, limits] = await Promise.all([
    orNotFound(releases.manage.getEdited({ ...path, tag: encodeURIComponent(tag) })),
    readBranches(repository),
    releases.uploadLimits(),
  ])
  if (release.tag_name !== tag) redirect(releasePath(repository, release.tag_name, 'edit'))
  return (
    <ReleaseEditor
      key={release.id}
      repository={repository}
      release={release}
      assets={assets}
      branches={branches}
      limits={limits}
    />
  )
}
