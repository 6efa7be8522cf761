import sshpk from 'sshpk'
import { decodeBase64, joinTrimmed, linesWithin } from './encoding'
import { invalidKey } from './errors'

const forms = [
  { label: 'PUBLIC KEY', format: 'pkcs8' },
  { label: 'RSA PUBLIC KEY', format: 'pkcs1' },
] as const

type Form = (typeof forms)[number]

/**
 * Converts a PEM public key (PKIX, or PKCS#1 for RSA) to SSH wire format, without checking its strength.
 * @throws {DomainError} unprocessable if the lines are not such a key.
 */
export function readPemKey(lines: readonly string[]): Buffer {
  const form = forms.find(({ label }) => lines.some(line => line.trim() === `-----BEGIN ${label}-----`))
  if (!form) {
    throw invalidKey('the block is not a public key; its first line must be -----BEGIN PUBLIC KEY-----')
  }
  const body = linesWithin(lines, `-----BEGIN ${form.label}-----`, `-----END ${form.label}-----`)
  return toSshBlob(decodeBase64(joinTrimmed(body)), form)
}

function toSshBlob(der: Buffer, form: Form): Buffer {
  const converted = convert(der, form)
  if (!converted) {
    throw invalidKey(
      'the PEM block is damaged or of another kind; it must contain an RSA, ECDSA (nistp256, 384 or 521) or Ed25519 key',
    )
  }
  // sshpk ignores bytes after the key and accepts explicit curve parameters. Only one encoding is accepted here.
  if (!converted.plain.equals(der)) {
    throw invalidKey(
      'the PEM block contains more than the key itself; export it again, for example with ssh-keygen -e',
    )
  }
  return converted.blob
}

function convert(der: Buffer, { label, format }: Form): { blob: Buffer; plain: Buffer } | undefined {
  try {
    // Rebuilt from the decoded bytes, so that sshpk never sees the sender's headers or line breaks.
    const text = `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`
    const key = sshpk.parseKey(text, format)
    const written = key.toString(format).trim().split('\n')
    return {
      blob: key.toBuffer('rfc4253', {}),
      plain: Buffer.from(joinTrimmed(written.slice(1, -1)), 'base64'),
    }
  } catch {
    // Messages of sshpk are about its internals, and may quote the key.
    return undefined
  }
}
