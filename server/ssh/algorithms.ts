import { signatureAlgorithms } from '@/server/keys'
import type { Library, LibraryOffer, LibraryProtocol } from './library'

/**
 * Algorithms that the server offers to clients, in order of preference. The NIST curves and the last two MACs
 * are for clients in FIPS mode, which support no others. Diffie-Hellman groups are not offered: with large
 * groups, a few clients that never sign in could keep a CPU busy.
 */
export const algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
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
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const

const extensionInfo = 7

/**
 * Removes host key signatures with SHA-1 from the offer, which the library adds for every RSA key. Also sends
 * the list of accepted signature algorithms to clients that request it (RFC 8308), because the library's own
 * list includes broken ones and lacks security keys.
 */
export function correctOffers({ protocol }: Library): void {
  protocol._offer = withoutSha1(protocol._offer)
  const complete = protocol._onHandshakeComplete
  let isFirst = true
  protocol._onHandshakeComplete = (...facts) => {
    const isAsked = isFirst && protocol._kex?.remoteExtInfoEnabled
    isFirst = false
    if (protocol._kex) protocol._kex.remoteExtInfoEnabled = false
    complete(...facts)
    if (isAsked) sendExtensionInfo(protocol)
  }
}

function withoutSha1(offer: LibraryOffer): LibraryOffer {
  const { kex, serverHostKey, cs } = offer.lists
  const Offer = offer.constructor as new (lists: object) => LibraryOffer
  const directions = Object.fromEntries(Object.entries(cs).map(([name, { array }]) => [name, array]))
  return new Offer({
    kex: kex.array,
    serverHostKey: serverHostKey.array.filter(name => name !== 'ssh-rsa'),
    cs: directions,
    sc: directions,
  })
}

function sendExtensionInfo({ _packetRW: { write }, _cipher: cipher }: LibraryProtocol): void {
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
