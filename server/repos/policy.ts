import type { RepositoryAccess } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import type { Account } from '@/server/kernel/account'
import { type DomainError, forbidden } from '@/server/kernel/errors'
import { type JobScope, needsPermission } from '@/server/kernel/job-permissions'

interface WithAccess {
  access: RepositoryAccess
}

export const mayAdminister = ({ access }: WithAccess): boolean => atLeast(access.mode, 'admin')
export const mayDelete = ({ access }: WithAccess): boolean => atLeast(access.mode, 'owner')
export const mayWriteCode = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.code'].mode, 'write')
export const mayReadCode = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.code'].mode, 'read')
export const mayWriteReleases = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.releases'].mode, 'write')
export const mayReadReleases = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.releases'].mode, 'read')
export const mayReadActions = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.actions'].mode, 'read')

/** A permission that a caller needs on a repository as a whole, or on one unit of it such as its code. */
export type RepositoryNeed = { mode: 'admin' | 'owner' } | { unit: Unit; mode: 'read' | 'write' }

export const readCode = { unit: 'repo.code', mode: 'read' } as const
export const writeCode = { unit: 'repo.code', mode: 'write' } as const
export const administration = { mode: 'admin' } as const
export const ownership = { mode: 'owner' } as const

/**
 * Requires that the caller has a permission on a repository.
 * @throws {DomainError} forbidden if the caller lacks it.
 */
export function requireNeed({ access, owner }: WithAccess & { owner: Account }, need: RepositoryNeed): void {
  const held = 'unit' in need ? access.units[need.unit].mode : access.mode
  if (atLeast(held, need.mode)) return
  throw access.ofJob ? refusalOfJob(access.ofJob, need) : forbidden(refusals[need.mode](owner))
}

/** Returns the refusal of what the token of a job lacks access to. */
export function refusalOfJob(repository: 'own' | 'other', need: RepositoryNeed): DomainError {
  if (repository === 'other')
    return forbidden('A job token can only read other repositories, if they are public.')
  const scope = 'unit' in need ? scopes[need.unit] : undefined
  return scope && 'unit' in need
    ? needsPermission(scope, need.mode)
    : forbidden('A job token cannot do this, whatever its permissions are.')
}

const scopes: Partial<Record<Unit, JobScope>> = {
  'repo.code': 'contents',
  'repo.releases': 'contents',
  'repo.actions': 'actions',
  'repo.packages': 'packages',
}

const refusals: Record<RepositoryNeed['mode'], (owner: Account) => string> = {
  read: () => 'user should have specific read permission or be a repo admin or a site admin',
  write: () => 'user should have a permission to write to a repo',
  admin: () => 'user should be an owner or a collaborator with admin write of a repository',
  owner: ({ kind }) =>
    kind === 'organization'
      ? 'Given user is not owner of organization.'
      : 'user should be the owner of the repo',
}
