import type { Connection } from 'ssh2'
import { signatureAlgorithms } from '@/server/keys'

/**
 * What we agree to with clients. The key exchange on Curve25519 alone: with the larger groups of Diffie and Hellman, a few
 * clients that never sign in could keep a processor busy.
 */
export const algorithms = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
  serverHostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes256-ctr',
    'aes192-ctr',
    'aes128-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  compress: ['none'],
} as const

const extensionInfo = 7

/** What we use of the library's own objects, as they are in the version that package.json names. */
interface Internals {
  _protocol: {
    _onHandshakeComplete(...facts: unknown[]): void
    _kex: { remoteExtInfoEnabled: boolean }
    _cipher: { encrypt(packet: Buffer): void }
    _packetRW: {
      write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer }
    }
  }
}

/**
 * Announces the signatures that we take to a client that asks for them (RFC 8308). The library's own list has algorithms
 * that are broken, and lacks security keys.
 */
export function announceSignatures(client: Connection): void {
  const { _protocol: protocol } = client as unknown as Internals
  const complete = protocol._onHandshakeComplete
  let isFirst = true
  protocol._onHandshakeComplete = (...facts) => {
    const isAsked = isFirst && protocol._kex.remoteExtInfoEnabled
    isFirst = false
    protocol._kex.remoteExtInfoEnabled = false
    complete(...facts)
    if (isAsked) sendExtensionInfo(protocol)
  }
}

function sendExtensionInfo({ _packetRW: { write }, _cipher: cipher }: Internals['_protocol']): void {
  const name = Buffer.from('server-sig-algs')
  const value = Buffer.from(signatureAlgorithms.join())
  const payload = Buffer.concat([Buffer.of(extensionInfo), uint32(1), field(name), field(value)])
  const start = write.allocStart
  const packet = write.alloc(payload.length)
  packet.set(payload, start)
  cipher.encrypt(write.finalize(packet))
}

const field = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length), bytes])

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
