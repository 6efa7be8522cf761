import type { AuthContext, PublicKeyAuthContext } from 'ssh2'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { findSignInKey, type SignInKey } from '@/server/keys'

type SignedIn = NonNullable<SignInKey['opens']>

/** The sign-in of one connection by public key. */
export interface KeySignIn {
  attempt(attempt: AuthContext): Promise<void>
  /** The key and caller that signed in; undefined before that. */
  signedIn(): SignedIn | undefined
  /** The number of attempts and the refused keys, for the log. */
  facts(): { tries: number; refused: readonly { fingerprint: string; reason: string }[] }
}

interface KeySignInOptions {
  maxTries: number
  onSignedIn(): void
  onTooManyTries(): void
}

/**
 * Creates the sign-in of a connection. A key that is offered without a signature is accepted or rejected, but
 * does not sign anyone in.
 */
export function createKeySignIn(
  ctx: Pick<ServiceCtx, 'db' | 'clock'>,
  { maxTries, onSignedIn, onTooManyTries }: KeySignInOptions,
): KeySignIn {
  let signedIn: SignedIn | undefined
  let tries = 0
  const refused: { fingerprint: string; reason: string }[] = []

  return {
    async attempt(attempt) {
      if (++tries > maxTries) return onTooManyTries()
      if (attempt.method !== 'publickey') return attempt.reject(['publickey'])
      const { key, signature, blob: data, hashAlgo } = attempt as PublicKeyAuthContext
      const found = await findSignInKey(ctx, key.data)
      // For RSA, the key's own algorithm name stands for SHA-1.
      const algorithm = hashAlgo ? `rsa-sha2-${hashAlgo.slice('sha'.length)}` : key.algo
      const isSigned = signature !== undefined && data !== undefined
      const isProven = isSigned && found.opens && found.verify({ algorithm, data, signature })
      if (!found.opens || (isSigned && !isProven)) {
        refused.push({ fingerprint: found.fingerprint, reason: found.refusal ?? 'signature' })
        return attempt.reject(['publickey'])
      }
      if (isProven) {
        const isFirst = !signedIn
        signedIn = found.opens
        if (isFirst) onSignedIn()
      }
      attempt.accept()
    },
    signedIn: () => signedIn,
    facts: () => ({ tries, refused }),
  }
}
