import 'server-only'
import { notFound } from 'next/navigation'
import { type RepositoryParams, requireReleases } from '@/app/_features/repos/read-repository'
import { caller, requireSession } from '@/app/_lib/server'
import type { Repository, RepositoryHome } from '@/server/repos/schema'

/** The repository of a page that changes its releases; who may not is shown that there is no such page. */
export async function requireWriter(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const home = await requireReleases(params)
  await requireSession()
  if (!home.may_release) notFound()
  return home
}

/** What the tag of a release can be made of; none for who may not read the code. */
export async function readBranches({ owner, name, permissions }: Repository): Promise<readonly string[]> {
  if (!permissions.pull) return []
  return (await (await caller()).repos.branches.listNames({ owner: owner.login, repo: name })).names
}
