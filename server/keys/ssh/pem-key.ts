import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { type Curve, curves } from './blob'
import { decodeBase64, joinTrimmed, linesWithin } from './encoding'
import { invalidKey } from './errors'
import { requireAllowedStrength } from './key-strength'

const forms = [
  { label: 'PUBLIC KEY', type: 'spki' },
  { label: 'RSA PUBLIC KEY', type: 'pkcs1' },
] as const

type FormType = (typeof forms)[number]['type']

/**
 * Converts a PEM public key (PKIX, or PKCS#1 for RSA) to its SSH form.
 * @throws {DomainError} unprocessable if it is anything else.
 */
export function readPemKey(lines: readonly string[]): Buffer {
  const form = forms.find(({ label }) => lines.some(line => line.trim() === `-----BEGIN ${label}-----`))
  if (!form) {
    throw invalidKey('the block is not a public key; its first line must be -----BEGIN PUBLIC KEY-----')
  }
  const body = linesWithin(lines, `-----BEGIN ${form.label}-----`, `-----END ${form.label}-----`)
  return toSshBlob(decodeBase64(joinTrimmed(body)), form.type)
}

function toSshBlob(der: Buffer, type: FormType): Buffer {
  const converted = convert(der, type)
  if (!converted) {
    throw invalidKey(
      'the PEM block is damaged or of another kind; it must hold an RSA, ECDSA (nistp256, 384 or 521) or Ed25519 key',
    )
  }
  // OpenSSL passes over bytes behind the key and knows spelled-out curve parameters; one spelling is enough.
  if (!converted.plain.equals(der)) {
    throw invalidKey(
      'the PEM block holds more than the plain key; export it again, for example with ssh-keygen -e',
    )
  }
  return converted.blob
}

function convert(der: Buffer, type: FormType): { blob: Buffer; plain: Buffer } | undefined {
  const key = orUndefined(() => createPublicKey({ key: der, format: 'der', type }))
  if (key?.asymmetricKeyType === 'dsa') {
    requireAllowedStrength('dsa', key.asymmetricKeyDetails?.modulusLength ?? 0)
  }
  return orUndefined(() => {
    const jwk = (key as KeyObject).export({ format: 'jwk' })
    return {
      blob: blobOf(jwk),
      plain: createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type }),
    }
  })
}

// What OpenSSL says is about its own insides, and may quote the key.
function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

// Throws for a kind of key that SSH does not have.
function blobOf(jwk: JsonWebKey): Buffer {
  const field = (name: 'n' | 'e' | 'x' | 'y') => Buffer.from(jwk[name] as string, 'base64url')
  if (jwk.kty === 'RSA') return join('ssh-rsa', positive(field('e')), positive(field('n')))
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return join('ssh-ed25519', field('x'))
  const curve = Object.values<Curve>(curves).find(({ jwkName }) => jwkName === jwk.crv)
  if (!curve) throw new Error('not a key of SSH')
  const point = Buffer.concat([Buffer.from([4]), field('x'), field('y')])
  return join(`ecdsa-sha2-${curve.name}`, curve.name, point)
}

// A first bit would be read as a sign.
const positive = (magnitude: Buffer): Buffer =>
  (magnitude[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), magnitude]) : magnitude

function join(...fields: (string | Buffer)[]): Buffer {
  const parts = fields.map(field => {
    const bytes = Buffer.from(field as Buffer)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return Buffer.concat(parts)
}
