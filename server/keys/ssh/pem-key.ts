import sshpk from 'sshpk'
import { decodeBase64 } from './base64'
import { invalidKey } from './errors'
import { joinTrimmed, linesWithin } from './pem-armor'

const forms = [
  { label: 'PUBLIC KEY', format: 'pkcs8' },
  { label: 'RSA PUBLIC KEY', format: 'pkcs1' },
] as const

type Form = (typeof forms)[number]

/** Converts a PEM public key (PKIX, or PKCS#1 for RSA) to its SSH form; throws unprocessable if it is anything else. */
export function readPemKey(lines: readonly string[]): Buffer {
  const form = forms.find(({ label }) => lines.some(line => line.trim() === `-----BEGIN ${label}-----`))
  if (!form) {
    throw invalidKey('the block is not a public key; its first line must be -----BEGIN PUBLIC KEY-----')
  }
  const body = linesWithin(lines, `-----BEGIN ${form.label}-----`, `-----END ${form.label}-----`)
  return toSshBlob(decodeBase64(joinTrimmed(body)).toString('base64'), form)
}

function toSshBlob(der: string, { label, format }: Form): Buffer {
  // Rebuilt from the decoded bytes, so sshpk never sees a header, a second block or an odd line of the sender's.
  const text = `-----BEGIN ${label}-----\n${der}\n-----END ${label}-----\n`
  const converted = convert(text, format)
  if (!converted) {
    throw invalidKey(
      'the PEM block is damaged or of another kind; it must hold an RSA, ECDSA (nistp256, 384 or 521) or Ed25519 key',
    )
  }
  // sshpk passes over bytes behind the key and recognises spelled-out curve parameters; one spelling is enough.
  if (converted.der !== der) {
    throw invalidKey(
      'the PEM block holds more than the plain key; export it again, for example with ssh-keygen -e',
    )
  }
  return converted.blob
}

function convert(text: string, format: Form['format']): { blob: Buffer; der: string } | undefined {
  try {
    const key = sshpk.parseKey(text, format)
    const lines = key.toString(format).trim().split('\n')
    return { blob: key.toBuffer('rfc4253', {}), der: joinTrimmed(lines.slice(1, -1)) }
  } catch {
    // What sshpk says is about its own insides, and may quote the text.
    return undefined
  }
}
