import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { getAccount } from '@/server/users'
import { explainDuplicate } from './duplicate'
import { requireKeyManagement } from './policy'
import type { AddKeyInput, PublicKey } from './schema'
import { parsePublicKey } from './ssh-key'
import { insertKey, type KeyRow } from './store'
import { viewKey } from './view'

/**
 * Adds an SSH key for the caller.
 * Throws notFound where key management is off for the caller's kind of login, unprocessable for text that is
 * no acceptable public key, a key that is known already, or a title the owner used already.
 */
export async function addKey(ctx: UserCtx, input: AddKeyInput): Promise<PublicKey> {
  return await addForOwner(ctx, ctx.caller.user, input)
}

/** The same on behalf of an administrator, for the person named. Throws notFound for an unknown name too. */
export async function addKeyFor(ctx: UserCtx, input: AddKeyInput & { username: string }): Promise<PublicKey> {
  return await addForOwner(ctx, await getAccount(ctx, input.username), input)
}

async function addForOwner(ctx: UserCtx, owner: Account, input: AddKeyInput): Promise<PublicKey> {
  requireKeyManagement(ctx)
  const { content, fingerprint } = parsePublicKey(input.key)
  try {
    const key = await withTransaction(ctx.db, async trx => {
      const row = await insertKey(trx, { owner_id: owner.id, title: input.title, content, fingerprint })
      await recordEvent(ctx, trx, { kind: 'key.added', ownerId: owner.id, facts: factsOf(row) })
      return row
    })
    return viewKey(key, ctx.caller, ctx.config.baseUrl, owner)
  } catch (error) {
    if (!uniqueViolation(error)) throw error
    throw await explainDuplicate(ctx, owner, fingerprint, error)
  }
}

export const factsOf = (key: KeyRow): { title: string; fingerprint: string } => ({
  title: key.title,
  fingerprint: key.fingerprint,
})
