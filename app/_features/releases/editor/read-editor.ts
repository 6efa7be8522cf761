import 'server-only'
import { notFound } from 'next/navigation'
import { type RepositoryParams, requireReleases } from '@/app/_features/repos/read-repository'
import { caller, requireSession } from '@/app/_lib/server'
import type { Repository, RepositoryHome } from '@/server/repos/schema'

/**
 * Returns the repository of a page that edits releases. People who cannot edit releases get a "not found"
 * page.
 */
export async function requireWriter(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const home = await requireReleases(params)
  await requireSession()
  if (!home.may_release) notFound()
  return home
}

/**
 * Returns the names of the branches that a release's tag can be created from. The list is empty for people
 * who cannot read the code.
 */
export async function readBranches({ owner, name, permissions }: Repository): Promise<readonly string[]> {
  if (!permissions.pull) return []
  return (await (await caller()).repos.branches.listNames({ owner: owner.login, repo: name })).names
}
