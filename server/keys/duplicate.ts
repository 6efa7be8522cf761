import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { selectKeysByFingerprint } from './store'

/** Tells which unique thing is taken, and where as far as the owner may know. */
export async function explainDuplicate(
  ctx: UserCtx,
  owner: Account,
  { fingerprint, title }: { fingerprint: string; title: string },
  cause: unknown,
): Promise<DomainError> {
  const [same] = await selectKeysByFingerprint(ctx.db, fingerprint)
  if (!same) {
    return unprocessable('Key title has been used', {
      field: 'title',
      reason: { code: 'nameTaken', what: 'key', name: title },
      cause,
    })
  }
  const where =
    same.owner_id === owner.id ? `it is already here as "${same.title}"` : 'another account holds it'
  return unprocessable(`Key content has been used as non-deploy key: ${where}`, {
    field: 'key',
    reason: { code: 'keyTaken', title: same.owner_id === owner.id ? same.title : null },
    cause,
  })
}
