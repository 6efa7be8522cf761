import { createHash, createPublicKey } from 'node:crypto'
import { certificateNotKey, invalidKey, noPublicKey, unknownKeyType } from './errors'
import { WireReader } from './wire-reader'

export type SshAlgorithm = 'ed25519' | 'ecdsa' | 'rsa' | 'dsa' | 'ed25519-sk' | 'ecdsa-sk'

export interface KeyFacts {
  algorithm: SshAlgorithm
  bits: number
}

const fieldReaders = new Map<string, (fields: WireReader) => KeyFacts>([
  ['ssh-ed25519', readEd25519],
  ['ecdsa-sha2-nistp256', fields => readEcdsa(fields, curves.nistp256)],
  ['ecdsa-sha2-nistp384', fields => readEcdsa(fields, curves.nistp384)],
  ['ecdsa-sha2-nistp521', fields => readEcdsa(fields, curves.nistp521)],
  ['ssh-rsa', readRsa],
  ['sk-ssh-ed25519@openssh.com', readSecurityKeyEd25519],
  ['sk-ecdsa-sha2-nistp256@openssh.com', readSecurityKeyEcdsa],
  ['ssh-dss', readDsa],
])

export const acceptedTypes = [...fieldReaders.keys()].filter(type => type !== 'ssh-dss')

export function isKeyType(word: string): boolean {
  return fieldReaders.has(word)
}

export function isCertificateType(word: string): boolean {
  return /-cert-v\d\d@openssh\.com$/.test(word)
}

/**
 * Parses a public key in SSH wire format and returns its type, algorithm, and size in bits.
 * @throws {DomainError} unprocessable if the type is unknown, a field is missing, malformed, or out of range,
 * or bytes remain after the last field.
 */
export function readKeyBlob(blob: Buffer): KeyFacts & { type: string } {
  const fields = new WireReader(blob)
  const type = readType(fields, blob)
  if (isCertificateType(type)) throw certificateNotKey()
  const readFields = fieldReaders.get(type)
  if (!readFields) throw unknownKeyType(type, acceptedTypes)
  const facts = readFields(fields)
  fields.readEnd()
  return { type, ...facts }
}

/** Returns the fingerprint of a key as ssh-keygen prints it: `SHA256:` and unpadded base64. */
export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

function readType(fields: WireReader, blob: Buffer): string {
  // In other base64, the first bytes decode to an impossible length, so the text is not a key at all, rather than half
  // of one.
  const named = blob.length > 4 && blob.readUInt32BE() <= 64 && fields.readString('type').toString('latin1')
  if (!named || !/^[a-z0-9@.-]+$/.test(named)) {
    throw noPublicKey('the base64 text is not an SSH public key; copy the whole line of the .pub file')
  }
  return named
}

function readEd25519(fields: WireReader): KeyFacts {
  const { length } = fields.readString('public key')
  if (length !== 32) throw invalidKey(`the ed25519 public key has ${length} bytes; it must have 32`)
  return { algorithm: 'ed25519', bits: 256 }
}

function readEcdsa(fields: WireReader, curve: Curve): KeyFacts {
  readPoint(fields, curve)
  return { algorithm: 'ecdsa', bits: curve.bits }
}

function readRsa(fields: WireReader): KeyFacts {
  const exponent = fields.readPositive('exponent')
  const modulus = fields.readPositive('modulus')
  if (!isOdd(exponent) || isOne(exponent)) throw invalidKey('the RSA exponent must be odd and greater than 1')
  if (!isOdd(modulus)) throw invalidKey('the RSA modulus must be odd')
  if (!isLess(exponent, modulus)) throw invalidKey('the RSA exponent must be less than the modulus')
  return { algorithm: 'rsa', bits: bitLength(modulus) }
}

function readDsa(fields: WireReader): KeyFacts {
  const prime = fields.readPositive('prime')
  fields.readPositive('subprime')
  fields.readPositive('generator')
  fields.readPositive('public value')
  return { algorithm: 'dsa', bits: bitLength(prime) }
}

function readSecurityKeyEd25519(fields: WireReader): KeyFacts {
  readEd25519(fields)
  readApplication(fields)
  return { algorithm: 'ed25519-sk', bits: 256 }
}

function readSecurityKeyEcdsa(fields: WireReader): KeyFacts {
  readPoint(fields, curves.nistp256)
  readApplication(fields)
  return { algorithm: 'ecdsa-sk', bits: 256 }
}

/** Reads the relying party that a security key is bound to, such as `ssh:`. */
function readApplication(fields: WireReader): void {
  const bytes = fields.readString('application')
  const text = bytes.toString('utf8')
  if (text === '' || /\p{Cc}/u.test(text) || !Buffer.from(text).equals(bytes)) {
    throw invalidKey('the application of the security key must be a printable string, such as ssh:')
  }
}

const isOdd = (magnitude: Buffer) => (magnitude.at(-1)! & 1) === 1
const isOne = (magnitude: Buffer) => magnitude.length === 1 && magnitude[0] === 1
const isLess = (a: Buffer, b: Buffer) => (a.length - b.length || a.compare(b)) < 0
const bitLength = (magnitude: Buffer) => magnitude.length * 8 - Math.clz32(magnitude[0]!) + 24

export interface Curve {
  name: string
  jwkName: string
  bits: number
  coordinateBytes: number
}

export const curves = {
  nistp256: { name: 'nistp256', jwkName: 'P-256', bits: 256, coordinateBytes: 32 },
  nistp384: { name: 'nistp384', jwkName: 'P-384', bits: 384, coordinateBytes: 48 },
  nistp521: { name: 'nistp521', jwkName: 'P-521', bits: 521, coordinateBytes: 66 },
} as const satisfies Record<string, Curve>

// Only an uncompressed point on that curve is accepted.
function readPoint(fields: WireReader, curve: Curve): void {
  const name = fields.readString('curve name')
  if (!name.equals(Buffer.from(curve.name))) {
    throw invalidKey(`the curve in the key does not match the key type; it must be ${curve.name}`)
  }
  const point = fields.readString('public point')
  const length = 1 + 2 * curve.coordinateBytes
  if (point.length !== length || point[0] !== 4) {
    throw invalidKey(`the public point must be uncompressed, ${length} bytes beginning with 4`)
  }
  if (!isOnCurve(point, curve)) throw invalidKey(`the public point does not lie on the curve ${curve.name}`)
}

function isOnCurve(point: Buffer, curve: Curve): boolean {
  const x = point.subarray(1, 1 + curve.coordinateBytes).toString('base64url')
  const y = point.subarray(1 + curve.coordinateBytes).toString('base64url')
  try {
    createPublicKey({ key: { kty: 'EC', crv: curve.jwkName, x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}
