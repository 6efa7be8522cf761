import 'server-only'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { currentPath } from '@/app/_lib/current-path'
import { decoded } from '@/app/_lib/decoded'
import { requireSetUp } from '@/app/_lib/gates'
import { caller, orMoved } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { repositoryAddress } from './repository-address'

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
    redirect(repositoryAddress(repository) + rest)
  return home
})

export interface RepositoryParams {
  params: Promise<{ username: string; repo: string }>
}

/** What a tab of the repository is called in the browser's list of pages. */
export async function titleOf({ params }: RepositoryParams, tab = ''): Promise<Metadata> {
  const { username, repo } = await params
  const name = `${decoded(username)}/${decoded(repo)}`
  return { title: tab ? `${tab} · ${name}` : name }
}
