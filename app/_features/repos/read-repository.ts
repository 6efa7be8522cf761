import 'server-only'
import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { currentPath } from '@/app/_lib/current-path'
import { requireSetUp } from '@/app/_lib/guards'
import { decodeSegment, repositoryPath } from '@/app/_lib/paths'
import { caller, orMoved } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'

/** The repository of an address. An old name, other capital letters and the address git uses lead on to the pages. */
export const repositoryAt = cache(async (owner: string, repo: string): Promise<RepositoryHome> => {
  await requireSetUp()
  const name = repo.replace(/\.git$/i, '')
  const rest = (await currentPath()).replace(/^\/[^/?]+\/[^/?]+/, '')
  // Only the home page shows where the branches stand.
  const tips = !/^\/[^?]/.test(rest)
  const home = await orMoved((await caller()).repos.home({ owner, repo: name, tips }), (now, field) =>
    field === 'owner' ? `/${now}/${name}${rest}` : `/${owner}/${now}${rest}`,
  )
  const { repository } = home
  if (owner !== repository.owner.login || repo !== repository.name)
    redirect(repositoryPath(repository) + rest)
  return home
})

export interface RepositoryParams {
  params: Promise<{ username: string; repo: string }>
}

/** What a tab of the repository is called in the browser's list of pages. */
export async function titleOf({ params }: RepositoryParams, tab = ''): Promise<Metadata> {
  const { username, repo } = await params
  const name = `${decodeSegment(username)}/${decodeSegment(repo)}`
  return { title: tab ? `${tab} · ${name}` : name }
}

/** The repository of a page about its code; viewers who may not read that are shown that there is no such page. */
export async function requireCode(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (!home.repository.permissions.pull) notFound()
  return home
}
