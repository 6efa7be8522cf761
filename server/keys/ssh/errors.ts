import { type DomainError, type Reason, unprocessable } from '@/server/kernel/errors'

// None of these errors has a cause or quotes the text, because the pasted text may be a secret.
const onKeyField = { field: 'key' }

/**
 * Returns the error for text that is not exactly one well-formed, acceptable public key. `why` names the
 * problem and how to fix it. If there is a `reason`, pages show their own message for this code instead.
 */
export function invalidKey(why: string, reason?: Reason): DomainError {
  return unprocessable(`Invalid key content: ${why}`, reason ? { ...onKeyField, reason } : onKeyField)
}

/** Returns the error for a text that contains nothing like a public key. */
export function noPublicKey(why: string): DomainError {
  return invalidKey(why, { code: 'noPublicKey' })
}

/**
 * Returns the error for a public key with a character that cannot occur in a key. The message names the
 * character by its code point, such as `U+2013`.
 */
export function foreignCharacterError(codePoint: string): DomainError {
  return invalidKey(
    `the character ${codePoint} is not allowed in a key; copy the .pub file itself, not formatted text`,
  )
}

/**
 * Returns the error for a public key of an unknown type. Because pasted text can be secret, the message
 * quotes the type only if it looks like the name of a key type.
 */
export function unknownKeyType(type: string, known: readonly string[]): DomainError {
  const named = /^[a-z0-9@.-]{1,64}$/.test(type) ? `${type} is not an accepted key type; ` : ''
  return unprocessable(
    `Unable to verify key content: ${named}accepted types are ${known.join(', ')}`,
    onKeyField,
  )
}

/** Returns the error for a text or key that exceeds the maximum length. */
export function keyTooLong(most: number): DomainError {
  const reason: Reason = { code: 'keyTooLong', most }
  return unprocessable('SSH public key content is too long', { ...onKeyField, reason })
}

/** Returns the error for a private key, with what its owner should do instead. */
export function privateKeyPasted(): DomainError {
  return invalidKey(
    'the provided key is a private key. STOP: a private key must never be shared. Paste the contents of the ' +
      'matching .pub file instead; if the private key was shared, treat it as exposed and replace it',
  )
}

export function certificateNotKey(): DomainError {
  return invalidKey(
    'this is an SSH certificate; paste the public key it was issued for, from the .pub file without -cert',
  )
}

export function severalKeys(): DomainError {
  return invalidKey('there is more than one key; add them one at a time')
}
