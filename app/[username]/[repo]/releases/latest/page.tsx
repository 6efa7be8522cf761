import { redirect } from 'next/navigation'
import { type RepositoryParams, requireReleases } from '@/app/_features/repos/read-repository'
import { releasePath } from '@/app/_lib/paths'
import { caller, orNotFound } from '@/app/_lib/server'

/** Redirects to the newest release that is neither a draft nor a pre-release. */
export default async function LatestReleasePage({ params }: RepositoryParams): Promise<never> {
  const { repository } = await requireReleases(params)
  const { releases } = await caller()
  const path = { owner: repository.owner.login, repo: repository.name }
  const { tag_name: tag } = await orNotFound(releases.getLatest(path))
  redirect(releasePath(repository, tag))
}
