import { callerOfKey, findKeyByFingerprint, type KnownKey } from '@/server/auth/credentials/ssh-key'
import { announce } from '@/server/events'
import type { Caller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { fingerprintOf } from './ssh/blob'
import { type KeySignature, verifyKeySignature } from './ssh/verify'
import { updateDeployKeyUse, updateKeyUse } from './store'

/**
 * A public key that an SSH client offers for authentication, with the account or deploy key that it
 * identifies.
 */
export interface SignInKey {
  fingerprint: string
  /** The key and its caller; undefined if the key grants no access. */
  opens: { key: KnownKey; caller: Caller } | undefined
  /** Why the key grants no access. Only for the log, because clients get the same response for every key. */
  refusal?: 'unknown' | 'expired' | 'account'
  verify(signed: KeySignature): boolean
}

/**
 * Looks up the account or deploy key that an SSH client authenticates as. `blob` is the offered public key in
 * SSH wire format.
 */
export async function findSignInKey(
  { db, clock }: Pick<ServiceCtx, 'db' | 'clock'>,
  blob: Buffer,
): Promise<SignInKey> {
  const fingerprint = fingerprintOf(blob)
  const verify = (signed: KeySignature): boolean => verifyKeySignature(blob, signed)
  const key = await findKeyByFingerprint(db, fingerprint, clock.now())
  if (!key) return { fingerprint, opens: undefined, refusal: 'unknown', verify }
  const caller = callerOfKey(key)
  if (!caller)
    return { fingerprint, opens: undefined, refusal: key.isCurrent ? 'account' : 'expired', verify }
  return { fingerprint, opens: { key, caller }, verify }
}

// To the minute, because a write for every connection would be too much.
const usePrecisionMs = 60_000

/**
 * Records that an SSH key was used now from the client's IP address, at most once a minute, and notifies open
 * pages. For a deploy key, `repositoryId` is the repository that the client accessed. A site that is read-only
 * records nothing.
 */
export async function recordKeyUse(
  {
    db,
    config,
    clock,
    remoteAddress: address,
  }: Pick<ServiceCtx, 'db' | 'config' | 'clock' | 'remoteAddress'>,
  { id: keyId, owner }: Pick<KnownKey, 'id' | 'owner'>,
  repositoryId?: number,
): Promise<void> {
  if (config.readOnly) return
  const now = clock.now()
  const use = { now, before: new Date(now.getTime() - usePrecisionMs), address }
  const isNews =
    repositoryId === undefined
      ? await updateKeyUse(db, keyId, use)
      : await updateDeployKeyUse(db, { keyId, repositoryId }, use)
  if (!isNews) return
  announce(db, { kind: 'key.used', keyId, ownerId: owner?.id ?? null, repositoryId: repositoryId ?? null })
}
