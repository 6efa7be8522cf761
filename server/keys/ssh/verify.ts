import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { curves, readKeyBlob } from './blob'
import { WireReader } from './wire-reader'

/**
 * A signature that an SSH client sent, split into the name of the algorithm and the bare signature, with the
 * signed data.
 */
export interface KeySignature {
  /** Name of the algorithm, such as `rsa-sha2-512`; for all keys but RSA, the type of the key. */
  algorithm: string
  /** The signed data. */
  data: Buffer
  /**
   * The signature as OpenSSL expects it: for ECDSA in DER. For security keys as sent: for ECDSA two integers, each
   * after its length, then a byte of flags and a counter.
   */
  signature: Buffer
}

// RFC 8332. The hash of `ssh-rsa` is SHA-1, which can be forged.
const rsaHashes = new Map([
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
])
const curveHashes = new Map([
  ['ecdsa-sha2-nistp256', 'sha256'],
  ['ecdsa-sha2-nistp384', 'sha384'],
  ['ecdsa-sha2-nistp521', 'sha512'],
])

/** Names of all accepted signature algorithms, as announced to clients. */
export const signatureAlgorithms: readonly string[] = [
  'ssh-ed25519',
  'sk-ssh-ed25519@openssh.com',
  ...curveHashes.keys(),
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

// The bit that says that someone touched the security key: PROTOCOL.u2f of OpenSSH.
const userPresent = 0x01
const flagsAndCounterBytes = 5

/**
 * Verifies an SSH signature against a public key in SSH wire format. Returns false if the signature is
 * invalid or any input is malformed.
 */
export function verifyKeySignature(blob: Buffer, signed: KeySignature): boolean {
  try {
    return isValid(blob, signed)
  } catch {
    return false
  }
}

function isValid(blob: Buffer, { algorithm, data, signature }: KeySignature): boolean {
  const { type } = readKeyBlob(blob)
  const fields = new WireReader(blob)
  fields.readString('type')
  const rsaHash = rsaHashes.get(algorithm)
  if (type === 'ssh-rsa') {
    return rsaHash !== undefined && verify(rsaHash, data, rsaKey(fields), signature)
  }
  if (algorithm !== type) return false
  const curveHash = curveHashes.get(type)
  if (curveHash) return verify(curveHash, data, ecdsaKey(fields).key, signature)
  switch (type) {
    case 'ssh-ed25519':
      return verify(null, data, ed25519Key(fields), signature)
    case 'sk-ssh-ed25519@openssh.com': {
      const key = ed25519Key(fields)
      const { signedData, bare } = ofSecurityKey(fields, data, signature)
      return verify(null, signedData, key, bare)
    }
    case 'sk-ecdsa-sha2-nistp256@openssh.com': {
      const { key, bytes } = ecdsaKey(fields)
      const { signedData, bare } = ofSecurityKey(fields, data, signature)
      return verify('sha256', signedData, { key, dsaEncoding: 'ieee-p1363' }, fixedWidth(bare, bytes))
    }
    default:
      return false
  }
}

/**
 * Returns the bytes that a security key signs: a hash of the application, its flags and counter, and a hash
 * of the data.
 */
function ofSecurityKey(
  fields: WireReader,
  data: Buffer,
  signature: Buffer,
): { signedData: Buffer; bare: Buffer } {
  const application = fields.readString('application')
  const bare = signature.subarray(0, -flagsAndCounterBytes)
  const flagsAndCounter = signature.subarray(-flagsAndCounterBytes)
  if (((flagsAndCounter[0] ?? 0) & userPresent) === 0) throw new Error('nobody touched the security key')
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  return { signedData: Buffer.concat([sha256(application), flagsAndCounter, sha256(data)]), bare }
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

function ed25519Key(fields: WireReader): KeyObject {
  const x = base64url(fields.readString('public key'))
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function rsaKey(fields: WireReader): KeyObject {
  const e = base64url(fields.readPositive('exponent'))
  const n = base64url(fields.readPositive('modulus'))
  return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
}

function ecdsaKey(fields: WireReader): { key: KeyObject; bytes: number } {
  const curve = curves[fields.readString('curve name').toString('latin1') as keyof typeof curves]
  const { jwkName, coordinateBytes: bytes } = curve
  const point = fields.readString('public point')
  const x = base64url(point.subarray(1, 1 + bytes))
  const y = base64url(point.subarray(1 + bytes))
  return { key: createPublicKey({ key: { kty: 'EC', crv: jwkName, x, y }, format: 'jwk' }), bytes }
}

/** Returns the two integers of an ECDSA signature concatenated, each padded to the given number of bytes. */
function fixedWidth(signature: Buffer, bytes: number): Buffer {
  const fields = new WireReader(signature)
  const [r, s] = [fields.readPositive('r'), fields.readPositive('s')]
  fields.readEnd()
  if (r.length > bytes || s.length > bytes) throw new Error('the signature is too long')
  const fixed = Buffer.alloc(2 * bytes)
  r.copy(fixed, bytes - r.length)
  s.copy(fixed, 2 * bytes - s.length)
  return fixed
}
