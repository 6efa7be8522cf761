import { fingerprintOf, readKeyBlob, type SshAlgorithm } from './blob'
import { invalidKey, keyTooLong, privateKeyPasted } from './errors'
import { requireAllowedStrength } from './key-strength'
import { cleanPasted } from './pasted-text'
import { looksLikePrivateKey } from './private-key'
import { readKeyText } from './text-formats'

export interface SshKey {
  algorithm: SshAlgorithm
  bits: number
  /** One line: type, base64 and, if present, the comment. */
  content: string
  comment: string
  /** Fingerprint as ssh-keygen prints it: `SHA256:` and unpadded base64. */
  fingerprint: string
}

// Enough for the largest RSA key in any format, and little more.
const maxBytes = 9.5 * 1024

/**
 * Parses pasted text that contains a single SSH public key, and checks that the key is well-formed and strong
 * enough. Parsing the returned `content` again yields the same key.
 * @throws {DomainError} unprocessable on the field `key` for any other text; the message never quotes the
 * text.
 */
export function parsePublicKey(pasted: string): SshKey {
  const text = cleanPasted(pasted)
  // Before the length, because people who paste a private key need to know that first.
  if (looksLikePrivateKey(text)) throw privateKeyPasted()
  requireShort(text)

  const { declaredType, blob, comment } = readKeyText(text)
  const { type, algorithm, bits } = readKeyBlob(blob)
  if (declaredType !== undefined && declaredType !== type) {
    throw invalidKey(
      `the key is labeled ${declaredType} but contains ${type}; copy the .pub file without changes`,
    )
  }
  requireAllowedStrength(algorithm, bits)

  const content = [type, blob.toString('base64'), comment].filter(part => part !== '').join(' ')
  // Bare base64 gets its type here, which may exceed the length limit.
  requireShort(content)
  return { algorithm, bits, content, comment, fingerprint: fingerprintOf(blob) }
}

/**
 * Returns the algorithm, size in bits, and fingerprint of a stored SSH public key. If keys of its type are no
 * longer accepted, `algorithm` is the key type and `bits` is null.
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
