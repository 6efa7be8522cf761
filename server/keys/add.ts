import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { originOf, recordEvent } from '@/server/kernel/events/record'
import { explainGone } from '@/server/users'
import { explainDuplicate } from './duplicate'
import { requireKeyManagement } from './policy'
import type { AddKeyInput, PublicKey } from './schema'
import { parsePublicKey } from './ssh/parse'
import { countOwnKeys, insertKey } from './store'
import { viewKey } from './view'

/** Far more than a person has machines; it keeps one account from filling the table. */
const maxKeys = 1000

/**
 * Adds an SSH key for the caller.
 * Throws notFound where key management is off for the caller's kind of login, unprocessable for text that is
 * no acceptable public key, a key that is known already, a title the owner used already, or one key too many.
 */
export async function addKey(ctx: UserCtx, input: AddKeyInput): Promise<PublicKey> {
  return await addKeyFor(ctx, ctx.caller.user, input)
}

/** Adds a key for `owner`, on behalf of an administrator or of the owner. Throws as `addKey`. */
export async function addKeyFor(ctx: UserCtx, owner: Account, input: AddKeyInput): Promise<PublicKey> {
  requireKeyManagement(ctx)
  const { content, fingerprint } = parsePublicKey(input.key)
  try {
    const key = await withTransaction(ctx.db, async trx => {
      // Keys added at the same time may exceed it by a few, which a cap against abuse can bear.
      if ((await countOwnKeys(trx, owner.id)) >= maxKeys) {
        throw unprocessable(`an account holds at most ${maxKeys} SSH keys; delete one that is not used`, {
          reason: { code: 'tooMany', what: 'keys', most: maxKeys },
        })
      }
      const added = await insertKey(trx, { owner_id: owner.id, title: input.title, content, fingerprint })
      await recordEvent(trx, originOf(ctx), {
        kind: 'key.added',
        ownerId: owner.id,
        facts: { keyId: added.id, title: input.title, fingerprint },
      })
      return added
    })
    return viewKey(key, ctx.caller, ctx.config.baseUrl, owner)
  } catch (error) {
    if (!uniqueViolation(error)) throw explainGone(error)
    throw await explainDuplicate(ctx, owner, { fingerprint, title: input.title }, error)
  }
}
