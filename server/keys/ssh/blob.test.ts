import { describe, expect, test } from 'vitest'
import { parsePublicKey } from './parse'
import { blobOf, type Field, fingerprintBySshKeygen, hasSshKeygen, pointOf, refusal } from './testing/keys'

describe('security keys', () => {
  const point = () => pointOf('P-256')
  const ed = (app: Field = 'ssh:') => blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), app)
  const ec = (at = point(), app: Field = 'ssh:', curve = 'nistp256') =>
    blobOf('sk-ecdsa-sha2-nistp256@openssh.com', curve, at, app)

  test.skipIf(!hasSshKeygen).each([
    ['ed25519-sk', 'sk-ssh-ed25519@openssh.com', ed()],
    ['ecdsa-sk', 'sk-ecdsa-sha2-nistp256@openssh.com', ec()],
  ])('of type %s are accepted with the fingerprint that ssh-keygen prints', async (algorithm, type, blob) => {
    const content = `${type} ${blob.toString('base64')} my token`
    const key = parsePublicKey(`${content}\n`)
    const fingerprint = await fingerprintBySshKeygen(content)
    expect(key).toEqual({ algorithm, bits: 256, content, comment: 'my token', fingerprint })
    expect(parsePublicKey(content)).toEqual(key)
  })

  test.each([
    ['31 bytes of key', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(31), 'ssh:'), 'it must have 32'],
    [
      'no application',
      blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32)),
      'cut off (in its part "application")',
    ],
    ['an empty application', ed(''), 'must be a printable string'],
    ['an application that is no text', ed(Buffer.from([0xff, 0xfe])), 'must be a printable string'],
    ['an application with a control character', ed('ssh:\n'), 'must be a printable string'],
    ['a further field', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), 'ssh:', ''), 'extra bytes'],
    ['another curve', ec(point(), 'ssh:', 'nistp384'), 'must be nistp256'],
    ['a compressed point', ec(Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 1)])), 'uncompressed'],
    ['a point off the curve', ec(offCurve(point())), 'does not lie on the curve'],
  ])('with %s are refused', (_, blob, reason) => {
    expect(refusal(blob.toString('base64')).message).toContain(reason)
  })
})

describe('readKeyBlob', () => {
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.alloc(512, 0xff)])
  const e = Buffer.from([1, 0, 1])
  const rsa = (...fields: Field[]) => blobOf('ssh-rsa', ...fields)
  const ec = (type: string, curve: string, point: Buffer) => blobOf(`ecdsa-sha2-${type}`, curve, point)

  test.each([
    ['a short ed25519 key', blobOf('ssh-ed25519', Buffer.alloc(31)), 'has 31 bytes; it must have 32'],
    ['bytes after an ed25519 key', blobOf('ssh-ed25519', Buffer.alloc(32), ''), 'followed by 4 extra bytes'],
    ['bytes after an RSA key', rsa(e, modulus, 'x'), 'followed by 5 extra bytes'],
    ['an even RSA exponent', rsa(Buffer.from([4]), modulus), 'must be odd'],
    ['an RSA exponent of 1', rsa(Buffer.from([1]), modulus), 'greater than 1'],
    ['an RSA exponent of 0', rsa('', modulus), 'exponent is zero'],
    ['an RSA exponent beyond its modulus', rsa(modulus, e), 'less than the modulus'],
    ['a negative RSA modulus', rsa(e, modulus.subarray(1)), 'modulus is negative'],
    ['an even RSA modulus', rsa(e, Buffer.concat([modulus, Buffer.alloc(1)])), 'modulus must be odd'],
    ['needless zeros before a modulus', rsa(e, Buffer.concat([Buffer.alloc(1), modulus])), 'leading zeros'],
    ['an RSA key without modulus', rsa(e), 'cut off (in its part "modulus")'],
    ['an RSA key of 16385 bits', rsa(e, Buffer.alloc(2049, 1)), 'got 16385, at most 16384'],
    ['another curve than its type', ec('nistp256', 'nistp384', pointOf('P-384')), 'must be nistp256'],
    ['a point of another length', ec('nistp384', 'nistp384', pointOf('P-256')), '97 bytes beginning with 4'],
    ['a P-256 point off the curve', ec('nistp256', 'nistp256', offCurve(pointOf('P-256'))), 'does not lie'],
    ['a P-521 point off the curve', ec('nistp521', 'nistp521', offCurve(pointOf('P-521'))), 'does not lie'],
    ['an unprintable type', blobOf('ssh rsa\n', e), 'not an SSH public key'],
  ])('refuses %s', (_, blob, reason) => {
    expect(refusal(`AAAA${blob.toString('base64').slice(4)}`).message).toContain(reason)
  })

  test('accepts RSA keys of 3071 to 16384 bits, and refuses 3070 bits', () => {
    const ofBits = (bits: number) => {
      const magnitude = Buffer.alloc(Math.ceil(bits / 8), 0xff)
      magnitude[0] = 0xff >> (magnitude.length * 8 - bits)
      return rsa(e, bits % 8 === 0 ? Buffer.concat([Buffer.alloc(1), magnitude]) : magnitude).toString(
        'base64',
      )
    }
    expect(parsePublicKey(ofBits(3071)).bits).toBe(3071)
    expect(parsePublicKey(ofBits(16384)).bits).toBe(16384)
    expect(refusal(ofBits(3070)).message).toContain('got 3070, needs 3071')
  })

  test('suggests a key of 3072 bits, which programs offer, for one that is too weak', () => {
    const weak = rsa(e, Buffer.alloc(256, 0xff).fill(0x7f, 0, 1)).toString('base64')
    expect(refusal(weak)).toMatchObject({ reason: { code: 'keyTooWeak', bits: 2047, least: 3072 } })
  })

  test('names an unknown algorithm and those that are accepted', () => {
    const base64 = blobOf('ssh-new@example.org', 'x').toString('base64')
    const message =
      /^Unable to verify key content: ssh-new@example\.org is not .* accepted types are ssh-ed25519, /
    expect(refusal(base64).message).toMatch(message)
    expect(refusal(`ssh-new@example.org ${base64} me`).message).toMatch(message)
  })

  test('does not quote a type that is not a harmless word', () => {
    const { message } = refusal('<script> AAAAB3NzaC1yc2E')
    expect(message).toMatch(/^Unable to verify key content: accepted types are /)
  })

  test.each(['constructor', '__proto__', 'toString'])('refuses the key type %s', word => {
    expect(refusal(blobOf(word, 'x').toString('base64')).kind).toBe('unprocessable')
  })
})

function offCurve(point: Buffer): Buffer {
  const moved = Buffer.from(point)
  moved[moved.length - 1]! ^= 1
  return moved
}
