import type { Allowed } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { allow } from '@/server/access/allowed'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { loadOrganization } from '@/server/orgs'
import { getRepository, type RepositoryWithAccess, requireNeed } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import type { HolderRef } from './store'

/** A repository or an organization whose labels the caller can see. */
export interface LabelHolder {
  ref: HolderRef
  ownerId: number
  /** Path of the labels in the API. */
  path: string
  /** Whether the caller can change the labels. */
  mayEdit: boolean
}

/** A repository or an organization whose labels the caller can change. */
export type LabelHolderFor = Allowed<LabelHolder, 'labels'>

export type HolderPath = RepoPath | { org: string }

/**
 * Loads what labels belong to: a repository of which the caller can read some unit, or an organization.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function loadHolder(ctx: ServiceCtx, path: HolderPath): Promise<LabelHolder> {
  if (!('org' in path)) return ofRepository(await getRepository(ctx, path))
  const { org, access } = await loadOrganization(ctx, path.org, 'view')
  return ofOrganization(org, access.mayManage)
}

/**
 * Loads a repository, archived or not, of which the caller can write issues or pull requests, or an
 * organization that the caller owns.
 * @throws {DomainError} notFound; moved after a rename; forbidden without the permission.
 */
export async function loadToChange(ctx: ServiceCtx, path: HolderPath): Promise<LabelHolderFor> {
  if ('org' in path) {
    const { org } = await loadOrganization(ctx, path.org, 'ownership')
    return allow(ofOrganization(org, true))
  }
  const found = await getRepository(ctx, path)
  if (!mayWrite(found)) requireNeed(found, { unit: 'repo.issues', mode: 'write' })
  return allow(ofRepository(found))
}

const mayWrite = ({ access: { units } }: RepositoryWithAccess): boolean =>
  (['repo.issues', 'repo.pulls'] as const).some(unit => atLeast(units[unit].mode, 'write'))

function ofRepository(found: RepositoryWithAccess): LabelHolder {
  const { repository, owner } = found
  return {
    ref: { repository_id: repository.id, org_id: null },
    ownerId: owner.id,
    path: `/repos/${owner.name}/${repository.name}/labels`,
    mayEdit: mayWrite(found),
  }
}

const ofOrganization = ({ id, name }: { id: number; name: string }, mayEdit: boolean): LabelHolder => ({
  ref: { repository_id: null, org_id: id },
  ownerId: id,
  path: `/orgs/${name}/labels`,
  mayEdit,
})
