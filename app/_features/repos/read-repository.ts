import 'server-only'
import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { decodeSegment, repositoryPath } from '@/app/_lib/paths'
import { caller, currentPath, orMoved, requireSetUp } from '@/app/_lib/server'
import type { RepositoryHomePage } from '@/server/activity/schema'
import type { RepositoryHome } from '@/server/repos/schema'

/** What the pages of a repository begin with; its home page has its branches and what happened last too. */
export type ShownRepository = RepositoryHome & Partial<Pick<RepositoryHomePage, 'tips' | 'latest'>>

/** The repository of an address. An old name, other capital letters and the address git uses lead on to the pages. */
export const repositoryAt = cache(async (owner: string, repo: string): Promise<ShownRepository> => {
  await requireSetUp()
  const name = repo.replace(/\.git$/i, '')
  const rest = (await currentPath()).replace(/^\/[^/?]+\/[^/?]+/, '')
  // Only the home page shows where the branches stand, and what happened last.
  const isHome = !/^\/[^?]/.test(rest)
  const { activity, repos } = await caller()
  const path = { owner, repo: name }
  const home = await orMoved<ShownRepository>(
    isHome ? activity.getRepositoryHome(path) : repos.getHome(path),
    (now, field, renamed = name) =>
      field === 'owner' ? `/${now}/${renamed}${rest}` : `/${owner}/${now}${rest}`,
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

/** The repository of a page about its releases; viewers who may not read those are shown that there is no such page. */
export async function requireReleases(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (home.releases === null) notFound()
  return home
}

/** The repository of a page about its workflow runs; viewers who may not read those are shown that there is no such page. */
export async function requireActions(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (home.actions === null) notFound()
  return home
}

/** The address of this site, for commands that are run elsewhere. */
export const siteUrlOf = (repository: { full_name: string; html_url: string }): string =>
  repository.html_url.slice(0, -repositoryPath(repository).length)
