import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDomainError } from '@/server/kernel/errors'
import { series } from '@/testing/series'
import { parsePublicKey } from './parse'
import { hasSshKeygen, sshKeygen, useGeneratedKeys, withByte } from './testing/keys'

const keys = useGeneratedKeys('ed25519-256', 'ecdsa-256', 'ecdsa-384', 'rsa-3072')

describe('parsePublicKey', { tags: 'series' }, () => {
  const parsesOrRefuses = (text: string) => {
    try {
      const key = parsePublicKey(text)
      expect(parsePublicKey(key.content)).toEqual(key)
    } catch (error) {
      expect(isDomainError(error) && [error.kind, error.field, error.cause]).toEqual([
        'unprocessable',
        'key',
        undefined,
      ])
    }
  }
  const shard = fc.constantFrom(
    ...[
      'ssh-ed25519',
      'ssh-rsa',
      'AAAAC3NzaC1lZDI1NTE5AAAAI',
      '\\',
      '\u00a0',
      '\u200b',
      '\u200d',
      '“',
      '”',
      'é',
      ':',
      'Comment: ',
      '=',
      ' ',
      '\t',
      '\r\n',
      '\n',
    ],
    ...[
      '---- BEGIN SSH2 PUBLIC KEY ----',
      '---- END SSH2 PUBLIC KEY ----',
      '-----BEGIN RSA PRI',
      'VATE KEY-----',
    ],
    ...['-----BEGIN PUBLIC KEY-----', '-----END PUBLIC KEY-----', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'],
  )

  test('accepts arbitrary text as a key or refuses it as unprocessable', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), parsesOrRefuses), {
      numRuns: series(200, 1000),
    })
    const mosaic = fc.array(fc.oneof(shard, fc.string({ maxLength: 5 })), { maxLength: 20 })
    fc.assert(
      fc.property(mosaic, pieces => parsesOrRefuses(pieces.join(''))),
      { numRuns: series(400, 2000) },
    )
  })

  test.skipIf(!hasSshKeygen)('accepts a damaged key or refuses it as unprocessable', async () => {
    const exported = (format: string, name: string) =>
      sshKeygen('-e', '-m', format, '-f', join(keys.dir, `${name}.pub`))
    const whole = [
      ...['ed25519-256', 'ecdsa-256', 'rsa-3072'].map(name => keys.pub[name]!),
      await exported('RFC4716', 'ed25519-256'),
      await exported('PKCS8', 'ecdsa-256'),
      await exported('PEM', 'rsa-3072'),
    ]
    const damage = fc.record({
      at: fc.nat(900),
      cut: fc.nat(4),
      put: fc.oneof(shard, fc.string({ maxLength: 3 })),
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (text, damages) => parsesOrRefuses(damages.reduce((t, d) => splice(t, d), text)),
      ),
      { numRuns: series(400, 2000) },
    )
  })

  test.skipIf(!hasSshKeygen)('accepts a key with damaged bytes or refuses it as unprocessable', () => {
    const blobs = ['ed25519-256', 'ecdsa-384', 'rsa-3072'].map(name =>
      Buffer.from(keys.pub[name]!.split(' ')[1]!, 'base64'),
    )
    fc.assert(
      fc.property(fc.constantFrom(...blobs), fc.nat(500), fc.nat(255), (blob, at, value) => {
        parsesOrRefuses(withByte(blob, at, value).toString('base64'))
        parsesOrRefuses(blob.subarray(0, at).toString('base64'))
      }),
      { numRuns: series(200, 1000) },
    )
  })

  test('accepts a PEM key with damaged bytes or refuses it as unprocessable', () => {
    const spki = { type: 'spki', format: 'der' } as const
    const ders = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(spki),
      generateKeyPairSync('ec', { namedCurve: 'P-384', paramEncoding: 'explicit' }).publicKey.export(spki),
      generateKeyPairSync('ed25519').publicKey.export(spki),
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki),
    ]
    const label = fc.constantFrom('PUBLIC KEY', 'RSA PUBLIC KEY')
    fc.assert(
      fc.property(fc.constantFrom(...ders), label, fc.nat(60), fc.nat(255), (der, name, at, value) => {
        const base64 = withByte(der, at, value).toString('base64')
        parsesOrRefuses(`-----BEGIN ${name}-----\n${base64}\n-----END ${name}-----`)
      }),
      { numRuns: series(300, 1500) },
    )
  })
})

function splice(text: string, { at, cut, put }: { at: number; cut: number; put: string }): string {
  const start = at % (text.length + 1)
  return text.slice(0, start) + put + text.slice(start + cut)
}
