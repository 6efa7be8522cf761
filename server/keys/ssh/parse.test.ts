import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsePublicKey, readStoredKey } from './parse'
import {
  blobOf,
  fingerprintBySshKeygen,
  hasSshKeygen,
  refusal,
  sshKeygen,
  useGeneratedKeys,
} from './testing/keys'

const made = [
  ['rsa', 1024],
  ['rsa', 2048],
  ['rsa', 3072],
  ['rsa', 4096],
  ['ecdsa', 256],
  ['ecdsa', 384],
  ['ecdsa', 521],
  ['ed25519', 256],
] as const
const accepted = made.filter(([, bits]) => bits !== 1024 && bits !== 2048)
const keys = useGeneratedKeys(...made.map(([type, bits]) => `${type}-${bits}`), 'dsa-1024')

describe.skipIf(!hasSshKeygen)('keys made by ssh-keygen', () => {
  test.each(accepted)(
    'are accepted with the fingerprint that ssh-keygen prints: %s %i',
    async (type, bits) => {
      const text = keys.pub[`${type}-${bits}`]!
      const key = parsePublicKey(text)
      expect(key).toEqual({
        algorithm: type,
        bits,
        content: text.trim(),
        comment: 'me at home',
        fingerprint: await fingerprintBySshKeygen(text),
      })
    },
  )

  test.each(accepted)('do not change if their content is parsed again: %s %i', (type, bits) => {
    const key = parsePublicKey(keys.pub[`${type}-${bits}`]!)
    expect(parsePublicKey(key.content)).toEqual(key)
  })

  test.each([
    ['RFC4716', 'rsa-3072'],
    ['RFC4716', 'ecdsa-256'],
    ['RFC4716', 'ed25519-256'],
    ['PKCS8', 'rsa-4096'],
    ['PKCS8', 'ecdsa-256'],
    ['PKCS8', 'ecdsa-384'],
    ['PKCS8', 'ecdsa-521'],
    ['PEM', 'rsa-3072'],
  ])('are read as the same key from the %s export of %s', async (format, name) => {
    const stdout = await sshKeygen('-e', '-m', format, '-f', join(keys.dir, `${name}.pub`))
    const key = parsePublicKey(stdout)
    expect(key.content.split(' ').slice(0, 2)).toEqual(keys.pub[name]!.split(' ').slice(0, 2))
    expect(key.comment).toMatch(format === 'RFC4716' ? /^\d+-bit .* from OpenSSH$/ : /^$/)
    expect(parsePublicKey(stdout.replaceAll('\n', '\r\n'))).toEqual(key)
    expect(parsePublicKey(key.content)).toEqual(key)
  })

  test('are accepted as PEM for Ed25519', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
    const key = parsePublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString())
    expect(key.content).toBe(`ssh-ed25519 ${blobOf('ssh-ed25519', raw).toString('base64')}`)
  })

  test.each([1024, 2048])('are refused as too short in every format: rsa %i', async bits => {
    const message = `Invalid key content: key length is not enough: got ${bits}, needs 3071`
    expect(refusal(keys.pub[`rsa-${bits}`]!).message).toBe(message)
    for (const format of ['RFC4716', 'PKCS8', 'PEM']) {
      const stdout = await sshKeygen('-e', '-m', format, '-f', join(keys.dir, `rsa-${bits}.pub`))
      expect(refusal(stdout).message).toBe(message)
    }
  })

  test('are refused if they are DSA keys', ({ skip }) => {
    if (!keys.pub['dsa-1024']) skip('this ssh-keygen makes no DSA keys')
    expect(refusal(keys.pub['dsa-1024']!).message).toBe('Invalid key content: key type is not allowed: dsa')
  })

  test('are refused if they are SSH certificates, both as a line and as bare base64', async () => {
    await sshKeygen('-q', '-s', join(keys.dir, 'ecdsa-256'), '-I', 'id', join(keys.dir, 'ed25519-256.pub'))
    const line = await readFile(join(keys.dir, 'ed25519-256-cert.pub'), 'utf8')
    expect(refusal(line).message).toMatch(/^Invalid key content: this is an SSH certificate/)
    expect(refusal(line.split(' ')[1]!).message).toMatch(/^Invalid key content: this is an SSH certificate/)
  })
})

describe('readStoredKey', () => {
  test.skipIf(!hasSshKeygen).each(made)(
    'returns the algorithm, size and fingerprint of %s %i',
    async (type, bits) => {
      const printed = await sshKeygen('-lf', join(keys.dir, `${type}-${bits}.pub`))
      const fingerprint = printed.split(' ')[1]
      expect(readStoredKey(keys.pub[`${type}-${bits}`]!)).toEqual({ algorithm: type, bits, fingerprint })
    },
  )

  test('returns the type of a key that is no longer accepted', () => {
    expect(readStoredKey('ssh-unknown@example.com AAAA old')).toMatchObject({
      algorithm: 'ssh-unknown@example.com',
      bits: null,
    })
  })
})

describe('private keys', () => {
  test.skipIf(!hasSshKeygen).each(['rsa-3072', 'ecdsa-256', 'ed25519-256'])(
    'are refused and never quoted: %s',
    async name => {
      for (const format of ['RFC4716', 'PEM', 'PKCS8']) {
        for (const phrase of ['', 'correct horse']) {
          const file = join(keys.dir, `${name}-${format}-${phrase.length}`)
          await writeFile(file, await readFile(join(keys.dir, name)), { mode: 0o600 })
          await sshKeygen('-q', '-p', '-m', format, '-P', '', '-N', phrase, '-f', file)
          const text = await readFile(file, 'utf8')
          const error = refusal(text)
          expect(error.message).toMatch(
            /^Invalid key content: the provided key is a private key\. .*\.pub file/,
          )
          expect(error.cause).toBeUndefined()
          for (const line of text.split('\n').filter(line => line !== '')) {
            expect(error.message).not.toContain(line)
          }
        }
      }
    },
  )

  test('are reported as private keys even if they are too long for a public key', () => {
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(20_000)}`
    expect(refusal(text).message).toContain('is a private key')
  })

  test('are refused even under the PEM label of a public key', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    expect(refusal(pem.replaceAll('PRIVATE', 'PUBLIC')).message).toMatch(
      /^Invalid key content: the PEM block/,
    )
  })
})
