import type { Db } from '@/db/client'
import type { RepositoryWithAccess } from '../load'
import { findRefs, repositoryPath } from '../storage'
import type { StorageConfig } from '../storage/paths'
import { selectLaterNames } from './store'

/** A name that a branch had, and the name that it has now. */
export interface FormerBranch {
  from: string
  to: string
}

/**
 * Finds the branch that had one of these names, of which the longest counts. A branch that was renamed several times is
 * found by each of its former names. Names that branches have now are for the caller to look up first.
 */
export async function findFormerBranch(
  { db, config }: { db: Db; config: StorageConfig },
  { repository }: Pick<RepositoryWithAccess, 'repository'>,
  names: readonly string[],
): Promise<FormerBranch | undefined> {
  const texts = names.filter(name => name.isWellFormed() && !name.includes('\0'))
  const found = texts.length > 0 ? await selectLaterNames(db, repository.id, texts) : []
  if (found.length === 0) return undefined
  const git = repositoryPath(config, repository.storage_key)
  const present = await findRefs(git, 'heads', [...new Set(found.map(({ to }) => to))])
  return found.find(({ to }) => present.has(to))
}
