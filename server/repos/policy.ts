import { subjectOf } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import type { RepositoryWithAccess } from './find'

type Seen = Pick<RepositoryWithAccess, 'access'>

export const mayAdminister = ({ access }: Seen): boolean => atLeast(access.mode, 'admin')
export const mayDelete = ({ access }: Seen): boolean => atLeast(access.mode, 'owner')
export const mayPush = ({ access }: Seen): boolean => atLeast(access.units['repo.code'].mode, 'write')
export const mayReadCode = ({ access }: Seen): boolean => atLeast(access.units['repo.code'].mode, 'read')

/** Throws forbidden unless the caller administers the repository. */
export function requireAdminister(found: Seen): void {
  if (mayAdminister(found)) return
  throw forbidden('user should be an owner or a collaborator with admin write of a repository')
}

/** Throws forbidden unless the caller owns the repository, or the organization that does. */
export function requireDelete(found: Pick<RepositoryWithAccess, 'access' | 'owner'>): void {
  if (mayDelete(found)) return
  throw forbidden(
    found.owner.kind === 'organization'
      ? 'Given user is not owner of organization.'
      : 'user should be the owner of the repo',
  )
}

/** Throws forbidden unless the caller may push. */
export function requirePush(found: Seen): void {
  if (!mayPush(found)) throw forbidden('user should have a permission to write to a repo')
}

/** Throws forbidden unless the caller may read the code. */
export function requireReadCode(found: Seen): void {
  if (mayReadCode(found)) return
  throw forbidden('user should have specific read permission or be a repo admin or a site admin')
}

/** Throws forbidden where a token limited to public data would make something private, which it could not see. */
export function requirePrivateScope(caller: Caller, isPrivate: boolean | undefined): void {
  const subject = subjectOf(caller)
  if (isPrivate && subject.kind === 'user' && subject.publicOnly) {
    throw forbidden('token scope is limited to public repos')
  }
}
