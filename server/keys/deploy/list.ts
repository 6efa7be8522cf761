import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import type { administration, RepositoryFor } from '@/server/repos'
import { fingerprintIn } from '../fingerprint'
import type { BrowseDeployKeysInput, DeployKey, ListDeployKeysInput, ListedDeployKey } from './schema'
import {
  countDeployKeys,
  type DeployKeyRow,
  type DeployKeysOf,
  findDeployKey,
  selectDeployKeys,
} from './store'
import { viewDeployKey, viewDeployKeys, viewListedDeployKeys } from './view'

type Administered = RepositoryFor<typeof administration>

/** Lists a page of a repository's deploy keys, oldest first. A key ID or fingerprint narrows the list to that key. */
export async function listDeployKeys(
  ctx: UserCtx,
  found: Administered,
  input: ListDeployKeysInput,
): Promise<Page<DeployKey>> {
  const { key_id: keyId } = input
  const fingerprint = input.fingerprint && fingerprintIn(input.fingerprint)
  const page = await list(ctx, found, { keyId, fingerprint }, 'oldest', input)
  return { ...page, items: viewDeployKeys(ctx, found, page.items) }
}

/**
 * Lists a page of a repository's deploy keys that match a search text, each with its algorithm, its size, and
 * the IP address from which it was last used.
 */
export async function browseDeployKeys(
  ctx: UserCtx,
  found: Administered,
  { q, sort, ...request }: BrowseDeployKeysInput,
): Promise<Page<ListedDeployKey>> {
  const page = await list(ctx, found, { q }, sort, request)
  return { ...page, items: viewListedDeployKeys(ctx, found, page.items) }
}

/**
 * Returns a deploy key of a repository.
 * @throws {DomainError} notFound, also if the key belongs to another repository.
 */
export async function getDeployKey(ctx: UserCtx, found: Administered, id: number): Promise<DeployKey> {
  const row = await findDeployKey(ctx.db, found.repository.id, id)
  if (!row) throw deleted('key')
  return viewDeployKey(ctx, found, row)
}

async function list(
  ctx: UserCtx,
  found: Administered,
  filter: Omit<DeployKeysOf, 'repositoryId'>,
  sort: BrowseDeployKeysInput['sort'] | 'oldest',
  request: PageRequest,
): Promise<Page<DeployKeyRow>> {
  const of = { repositoryId: found.repository.id, ...filter }
  const rows = await selectDeployKeys(ctx.db, of, sort, request)
  return await pageFromRows(request, rows, () => countDeployKeys(ctx.db, of))
}
