import 'server-only'
import { notFound } from 'next/navigation'
import type { RepositoryHome } from '@/server/repos/schema'
import { type RepositoryParams, repositoryAt } from './repository-at'

/** The repository, for who may read its code; for others these pages do not exist. */
export async function requireCode(params: RepositoryParams['params']): Promise<RepositoryHome> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  if (!home.repository.permissions.pull) notFound()
  return home
}
