import { createHash, generateKeyPairSync } from 'node:crypto'

export interface NewKey {
  text: string
  fingerprint: string
}

/** Generates a valid Ed25519 public key. Returns it as a line of OpenSSH format, with its fingerprint. */
export function newKey(comment = ''): NewKey {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const field = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(String(x), 'base64url'))])
  return {
    text: `ssh-ed25519 ${blob.toString('base64')}${comment ? ` ${comment}` : ''}`,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
  }
}
