import 'server-only'
import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { decodeSegment, repositoryPath } from '@/app/_lib/paths'
import { caller, currentPath, orMoved, requireSetUp } from '@/app/_lib/server'
import type { RepositoryHomePage } from '@/server/activity/schema'
import type { RepositoryHome } from '@/server/repos/schema'

/**
 * Data that all pages of a repository share. Only the home page also gets the latest activity.
 */
export type ShownRepository = RepositoryHome & Partial<Pick<RepositoryHomePage, 'latest'>>

/**
 * Returns the repository that a page's URL names. Redirects to the canonical URL from former names, other
 * capitalizations, and names that end in `.git`.
 */
export const repositoryAt = cache(async (owner: string, repo: string): Promise<ShownRepository> => {
  await requireSetUp()
  const name = repo.replace(/\.git$/i, '')
  const rest = (await currentPath()).replace(/^\/[^/?]+\/[^/?]+/, '')
  // Only the home page shows the latest activity.
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

/**
 * Returns the metadata for a repository page: a title with the tab's name, if any, and the repository's full
 * name.
 */
export async function titleOf({ params }: RepositoryParams, tab = ''): Promise<Metadata> {
  const { username, repo } = await params
  const name = `${decodeSegment(username)}/${decodeSegment(repo)}`
  return { title: tab ? `${tab} · ${name}` : name }
}

/**
 * Returns the repository for a page about its code. Viewers who cannot read the code get the not-found page.
 */
export async function requireCode(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (!home.repository.permissions.pull) notFound()
  return home
}

/**
 * Returns the repository for a page about its releases. Viewers who cannot read releases get the not-found
 * page.
 */
export async function requireReleases(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (home.releases === null) notFound()
  return home
}

/**
 * Returns the repository for a page about its workflow runs. Viewers who cannot read the runs get the
 * not-found page.
 */
export async function requireActions(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (home.actions === null) notFound()
  return home
}

/** Returns the base URL of this site, for commands that are run elsewhere. */
export const siteUrlOf = (repository: { full_name: string; html_url: string }): string =>
  repository.html_url.slice(0, -repositoryPath(repository).length)
