import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { atLeast } from '@/server/kernel/permissions/access-mode'
import { askerOf } from '@/server/kernel/permissions/asker'
import type { SeenRepository } from './find'

type Seen = Pick<SeenRepository, 'access'>

export const mayAdminister = ({ access }: Seen): boolean => atLeast(access.mode, 'admin')
export const mayDelete = ({ access }: Seen): boolean => atLeast(access.mode, 'owner')
export const mayPush = ({ access }: Seen): boolean => atLeast(access.units['repo.code'].mode, 'write')
export const mayReadCode = ({ access }: Seen): boolean => atLeast(access.units['repo.code'].mode, 'read')

/** Throws forbidden unless the caller administers the repository. */
export function requireAdminister(seen: Seen): void {
  if (mayAdminister(seen)) return
  throw forbidden('user should be an owner or a collaborator with admin write of a repository')
}

/** Throws forbidden unless the caller owns the repository, or the organization that does. */
export function requireDelete(seen: Pick<SeenRepository, 'access' | 'owner'>): void {
  if (mayDelete(seen)) return
  throw forbidden(
    seen.owner.kind === 'organization'
      ? 'Given user is not owner of organization.'
      : 'user should be the owner of the repo',
  )
}

/** Throws forbidden unless the caller may push. */
export function requirePush(seen: Seen): void {
  if (!mayPush(seen)) throw forbidden('user should have a permission to write to a repo')
}

/** Throws forbidden unless the caller may read the code. */
export function requireReadCode(seen: Seen): void {
  if (mayReadCode(seen)) return
  throw forbidden('user should have specific read permission or be a repo admin or a site admin')
}

/** Throws forbidden where a token limited to public data would make something private, which it could not see. */
export function requirePrivateScope(caller: Caller, isPrivate: boolean | undefined): void {
  const asker = askerOf(caller)
  if (isPrivate && asker.kind === 'user' && asker.publicOnly) {
    throw forbidden('token scope is limited to public repos')
  }
}
