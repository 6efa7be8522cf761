import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { Trail } from '@/app/_components/page-heading'
import { FollowReleaseChecks, releaseStates } from '@/app/_features/releases/checks'
import { ReleaseCard } from '@/app/_features/releases/release-card'
import { type TaggedParams, tagIn } from '@/app/_features/releases/tag-in'
import { requireReleases, titleOf } from '@/app/_features/repos/read-repository'
import { releasePath, repositoryPath } from '@/app/_lib/paths'
import { caller, orNotFound } from '@/app/_lib/server'

export const generateMetadata = async (props: TaggedParams): Promise<Metadata> =>
  titleOf(props, await tagIn(props.params))

export default async function ReleasePage({ params }: TaggedParams): Promise<ReactNode> {
  const { repository } = await requireReleases(params)
  const path = { owner: repository.owner.login, repo: repository.name }
  const tag = await tagIn(params)
  const { release, may_write: mayWrite } = await orNotFound(
    (await caller()).releases.manage.show({ ...path, tag: encodeURIComponent(tag) }),
  )
  if (release.tag_name !== tag) redirect(releasePath(repository, release.tag_name))
  const states = await releaseStates(repository, [release])
  const steps = [
    { href: repositoryPath(repository, 'releases'), label: 'Releases' },
    { href: releasePath(repository, tag), label: tag },
  ]
  return (
    <>
      <FollowReleaseChecks repository={repository} />
      <Trail steps={steps} />
      <ReleaseCard repository={repository} release={release} states={states} mayWrite={mayWrite} alone />
    </>
  )
}
