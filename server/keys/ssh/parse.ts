import { fingerprintOf, readKeyBlob, type SshAlgorithm } from './blob'
import { invalidKey, keyTooLong, privateKeyPasted } from './errors'
import { requireAllowedStrength } from './key-strength'
import { cleanPasted } from './pasted-text'
import { looksLikePrivateKey } from './private-key'
import { readKeyText } from './text-formats'

export interface SshKey {
  algorithm: SshAlgorithm
  bits: number
  /** One line: type, base64 and, if there is one, the comment. */
  content: string
  comment: string
  /** "SHA256:" and unpadded base64, as ssh-keygen prints it. */
  fingerprint: string
}

// Room for the largest RSA key in any form, and little else.
const maxBytes = 9.5 * 1024

/**
 * Turns pasted text into the one public key it holds, proven well-formed and strong enough. Parsing `content` again gives
 * the same key.
 * @throws {DomainError} unprocessable on the field `key` for anything else, never quoting the text.
 */
export function parsePublicKey(pasted: string): SshKey {
  const text = cleanPasted(pasted)
  // Before the length: whoever pastes a private key needs to hear that first.
  if (looksLikePrivateKey(text)) throw privateKeyPasted()
  requireShort(text)

  const { declaredType, blob, comment } = readKeyText(text)
  const { type, algorithm, bits } = readKeyBlob(blob)
  if (declaredType !== undefined && declaredType !== type) {
    throw invalidKey(
      `the key says it is ${declaredType} but holds ${type}; copy the .pub file without changes`,
    )
  }
  requireAllowedStrength(algorithm, bits)

  const content = [type, blob.toString('base64'), comment].filter(part => part !== '').join(' ')
  // Bare base64 gains its type here, which may take it past the limit.
  requireShort(content)
  return { algorithm, bits, content, comment, fingerprint: fingerprintOf(blob) }
}

/**
 * Algorithm, size in bits and fingerprint of a stored line. A line that the rules of today do not read, such as one
 * restored from an older site, has its type for an algorithm and null for a size.
 */
export function readStoredKey(content: string): {
  algorithm: string
  bits: number | null
  fingerprint: string
} {
  const [type = '', base64 = ''] = content.split(' ')
  const blob = Buffer.from(base64, 'base64')
  const fingerprint = fingerprintOf(blob)
  try {
    const { algorithm, bits } = readKeyBlob(blob)
    return { algorithm, bits, fingerprint }
  } catch {
    return { algorithm: type, bits: null, fingerprint }
  }
}

function requireShort(text: string): void {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) throw keyTooLong(maxBytes)
}
