import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DomainError, isDomainError } from '@/server/kernel/errors'
import { findSshKeygen } from '@/testing/programs.mjs'
import { parsePublicKey } from './parse'

const run = promisify(execFile)
const hasSshKeygen = (await findSshKeygen()) !== undefined
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

let dir: string
/** The .pub files, by name such as "rsa-4096". */
const pub: Record<string, string> = {}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ssh-key-'))
  if (!hasSshKeygen) return
  await Promise.all(made.map(([type, bits]) => generate(type, bits)))
  // Newer OpenSSH no longer makes DSA keys.
  await generate('dsa', 1024).catch(() => undefined)
}, 120_000)

afterAll(() => rm(dir, { recursive: true, force: true }))

describe.skipIf(!hasSshKeygen)('keys made by ssh-keygen', () => {
  test.each(accepted)('%s %i is accepted with the fingerprint ssh-keygen prints', async (type, bits) => {
    const text = pub[`${type}-${bits}`]!
    const key = parsePublicKey(text)
    expect(key).toEqual({
      algorithm: type,
      bits,
      content: text.trim(),
      comment: 'me at home',
      fingerprint: await fingerprintBySshKeygen(text),
    })
  })

  test.each(accepted)('parsing the content of %s %i again changes nothing', (type, bits) => {
    const key = parsePublicKey(pub[`${type}-${bits}`]!)
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
  ])('the %s export of %s is the same key', async (format, name) => {
    const { stdout } = await run('ssh-keygen', ['-e', '-m', format, '-f', join(dir, `${name}.pub`)])
    const key = parsePublicKey(stdout)
    expect(key.content.split(' ').slice(0, 2)).toEqual(pub[name]!.split(' ').slice(0, 2))
    expect(key.comment).toMatch(format === 'RFC4716' ? /^\d+-bit .* from OpenSSH$/ : /^$/)
    expect(parsePublicKey(stdout.replaceAll('\n', '\r\n'))).toEqual(key)
    expect(parsePublicKey(key.content)).toEqual(key)
  })

  test('an Ed25519 key in PEM is accepted', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
    const key = parsePublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString())
    expect(key.content).toBe(`ssh-ed25519 ${blobOf('ssh-ed25519', raw).toString('base64')}`)
  })

  test.each([1024, 2048])('rsa %i is too short in every format', async bits => {
    const message = `Invalid key content: key length is not enough: got ${bits}, needs 3071`
    expect(refusal(pub[`rsa-${bits}`]!).message).toBe(message)
    for (const format of ['RFC4716', 'PKCS8', 'PEM']) {
      const { stdout } = await run('ssh-keygen', ['-e', '-m', format, '-f', join(dir, `rsa-${bits}.pub`)])
      expect(refusal(stdout).message).toBe(message)
    }
  })

  test('dsa is not allowed', ({ skip }) => {
    if (!pub['dsa-1024']) skip('this ssh-keygen makes no DSA keys')
    expect(refusal(pub['dsa-1024']!).message).toBe('Invalid key content: key type is not allowed: dsa')
  })

  test('a certificate is refused, as a line and as bare base64', async () => {
    await run('ssh-keygen', ['-q', '-s', join(dir, 'ecdsa-256'), '-I', 'id', join(dir, 'ed25519-256.pub')])
    const line = await readFile(join(dir, 'ed25519-256-cert.pub'), 'utf8')
    expect(refusal(line).message).toMatch(/^Invalid key content: this is an SSH certificate/)
    expect(refusal(line.split(' ')[1]!).message).toMatch(/^Invalid key content: this is an SSH certificate/)
  })
})

describe('private keys', () => {
  test.skipIf(!hasSshKeygen).each(['rsa-3072', 'ecdsa-256', 'ed25519-256'])(
    '%s is refused and never quoted',
    async name => {
      for (const format of ['RFC4716', 'PEM', 'PKCS8']) {
        for (const phrase of ['', 'correct horse']) {
          const file = join(dir, `${name}-${format}-${phrase.length}`)
          await writeFile(file, await readFile(join(dir, name)), { mode: 0o600 })
          await run('ssh-keygen', ['-q', '-p', '-m', format, '-P', '', '-N', phrase, '-f', file])
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

  test('a private key too long to be a public one is still called a private key', () => {
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(20_000)}`
    expect(refusal(text).message).toContain('is a private key')
  })

  test('private key bytes under a public PEM label are refused', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    expect(refusal(pem.replaceAll('PRIVATE', 'PUBLIC')).message).toMatch(
      /^Invalid key content: the PEM block/,
    )
  })
})

describe('security keys', () => {
  const point = () => pointOf('P-256')
  const ed = (app: Field = 'ssh:') => blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), app)
  const ec = (at = point(), app: Field = 'ssh:', curve = 'nistp256') =>
    blobOf('sk-ecdsa-sha2-nistp256@openssh.com', curve, at, app)

  test.skipIf(!hasSshKeygen).each([
    ['ed25519-sk', 'sk-ssh-ed25519@openssh.com', ed()],
    ['ecdsa-sk', 'sk-ecdsa-sha2-nistp256@openssh.com', ec()],
  ])('%s is accepted with the fingerprint ssh-keygen prints', async (algorithm, type, blob) => {
    const content = `${type} ${blob.toString('base64')} my token`
    const key = parsePublicKey(`${content}\n`)
    const fingerprint = await fingerprintBySshKeygen(content)
    expect(key).toEqual({ algorithm, bits: 256, content, comment: 'my token', fingerprint })
    expect(parsePublicKey(content)).toEqual(key)
  })

  test.each([
    ['31 bytes of key', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(31), 'ssh:'), 'it must have 32'],
    ['no application', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32)), 'cut off at its application'],
    ['an empty application', ed(''), 'must be a printable string'],
    ['an application that is no text', ed(Buffer.from([0xff, 0xfe])), 'must be a printable string'],
    ['an application with a control character', ed('ssh:\n'), 'must be a printable string'],
    ['a further field', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), 'ssh:', ''), 'further bytes'],
    ['another curve', ec(point(), 'ssh:', 'nistp384'), 'must be nistp256'],
    ['a compressed point', ec(Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 1)])), 'uncompressed'],
    ['a point off the curve', ec(offCurve(point())), 'does not lie on the curve'],
  ])('a security key with %s is refused', (_, blob, reason) => {
    expect(refusal(blob.toString('base64')).message).toContain(reason)
  })
})

describe.skipIf(!hasSshKeygen)('text as people paste it', () => {
  const key = () => parsePublicKey(pub['rsa-3072']!)
  const parts = () => pub['rsa-3072']!.trim().split(' ') as [string, string, ...string[]]

  test.each<[string, (text: string) => string]>([
    ['blank lines around it', text => `\n \r\n\n${text}\n\n\t\n`],
    ['a byte order mark', text => `\uFEFF${text}`],
    ['CRLF', text => text.replaceAll('\n', '\r\n')],
    ['tabs between its parts', text => text.replace(/ /, '\t').replace(/ /, ' \t')],
    ['lines of 70 characters', text => text.match(/.{1,70}/g)!.join('\n')],
    ['CRLF lines of 61 characters', text => text.match(/.{1,61}/g)!.join('\r\n')],
    ['indented lines', text => text.replace(/[\w+/]{64}/g, '$&\n    ')],
    ['the parts on lines of their own', text => text.replace(/ /, '\n').replace(/ /, '\n')],
  ])('%s changes nothing', (_, shape) => {
    expect(parsePublicKey(shape(pub['rsa-3072']!))).toEqual(key())
  })

  test('bare base64 takes its type from the key', () => {
    const [type, base64] = parts()
    expect(parsePublicKey(base64).content).toBe(`${type} ${base64}`)
    expect(parsePublicKey(base64.match(/.{1,64}/g)!.join('\n')).content).toBe(`${type} ${base64}`)
  })

  test('left-off padding is put back', () => {
    const [type, base64] = pub['ecdsa-256']!.split(' ') as [string, string]
    expect(base64).toMatch(/=$/)
    expect(parsePublicKey(`${type} ${base64.replace(/=+$/, '')}`).content).toBe(`${type} ${base64}`)
  })

  test('a comment may be absent, and keeps its inner spaces and any script', () => {
    const [type, base64] = parts()
    expect(parsePublicKey(`${type} ${base64}`).comment).toBe('')
    expect(parsePublicKey(`${type} ${base64}   Zoë’s  鍵 🗝️ `).comment).toBe('Zoë’s  鍵 🗝️')
  })

  test('an RFC 4716 comment may be unquoted or continued over lines', () => {
    const [, base64] = parts()
    const block = (headers: string) =>
      `---- BEGIN SSH2 PUBLIC KEY ----\n${headers}\n${base64}\n---- END SSH2 PUBLIC KEY ----`
    expect(parsePublicKey(block('Subject: me\ncomment: my \\\nold \\\nkey\nx-a: "b"')).comment).toBe(
      'my old key',
    )
    expect(parsePublicKey(block('Comment: "a: b"')).comment).toBe('a: b')
    expect(refusal(block('Comment: "a" \u0007')).message).toContain('control characters')
    expect(refusal(block(`Comment: ${base64}`)).message).toContain('more than one key')
  })

  test.each<[string, (text: string) => string, string]>([
    ['nothing', () => ' \n', 'the text is empty'],
    ['prose', () => 'please add my key', 'there is no public key here'],
    ['a word', () => 'hello', 'there is no public key here'],
    ['base64 of something else', () => 'aGVsbG8gd29ybGQ=', 'there is no public key here'],
    ['options before the key', text => `no-pty,command="a b" ${text}`, 'text stands before the key'],
    ['a host before the key', text => `example.org ${text}`, 'text stands before the key'],
    ['two lines', text => `${text}${text}`, 'more than one key'],
    ['two keys on one line', text => `${text.trim()} ${text}`, 'more than one key'],
    ['a second key without a type', text => `${text}${text.split(' ')[1]}`, 'more than one key'],
    ['two keys without type', text => `${text.split(' ')[1]}\n${text.split(' ')[1]}`, 'more than one key'],
    ['no key after the type', text => text.split(' ')[0]!, 'the key itself is missing'],
    ['a foreign character', text => text.replace(/AAAA/, 'AA*A'), 'not valid base64'],
    ['an odd end', text => text.split(' ')[1]!.slice(0, -3), 'cut off or damaged'],
    ['a missing tail', text => text.split(' ')[1]!.slice(0, -8), 'cut off at its modulus'],
    [
      'the wrong type',
      text => text.replace('ssh-rsa', 'ssh-ed25519'),
      'says it is ssh-ed25519 but holds ssh-rsa',
    ],
    ['a control character', text => `${text.trim()}\u0000`, 'control characters'],
    ['a bidirectional override', text => `${text.trim()}\u202e!`, 'control characters'],
  ])('%s is refused with a reason', (_, shape, reason) => {
    const { message } = refusal(shape(pub['rsa-3072']!))
    expect(message).toMatch(/^Invalid key content: /)
    expect(message).toContain(reason)
  })

  test('more than 9.5 KiB is too long, counted in bytes', () => {
    const text = `${parts().slice(0, 2).join(' ')} `
    expect(parsePublicKey(text.padEnd(9728, 'c')).content).toHaveLength(9728)
    expect(refusal(text.padEnd(9729, 'c')).message).toBe('SSH public key content is too long')
    expect(refusal(text.padEnd(9700, 'é')).message).toBe('SSH public key content is too long')
    expect(refusal(text.slice('ssh-rsa '.length).padEnd(9728, 'c')).message).toContain('too long')
  })

  test.each(['A', '-', '\n', ' ', '=', '-----BEGIN '])('ten megabytes of %j are refused', unit => {
    const text = unit.repeat(10_000_000 / unit.length)
    expect(refusal(text).message).toBe('SSH public key content is too long')
  })
})

describe('PEM and RFC 4716 blocks', () => {
  const pem = (keys: { publicKey: { export(o: object): string | Buffer } }) =>
    keys.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const p256 = () => pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const explicit = { namedCurve: 'P-256', paramEncoding: 'explicit' as const }

  test.each([
    ['two blocks', p256() + p256(), 'more than one key'],
    ['text before', `hello\n${p256()}`, 'text stands before the key'],
    ['text after', `${p256()}hello`, 'text stands after the key'],
    ['no END line', p256().split('-----END')[0]!, 'the key is cut off'],
    ['headers', p256().replace('\n', '\nProc-Type: 4,ENCRYPTED\n'), 'not valid base64'],
    ['a lost line', p256().replace(/\n.*\n/, '\n'), 'the PEM block is damaged'],
    ['the label of another form', p256().replaceAll('PUBLIC', 'RSA PUBLIC'), 'the PEM block is damaged'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'not a public key'],
    ['an X25519 key', pem(generateKeyPairSync('x25519')), 'of another kind'],
    ['a curve SSH lacks', pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), 'of another kind'],
    ['spelled-out curve parameters', pem(generateKeyPairSync('ec', explicit)), 'more than the plain key'],
    ['bytes after the key', withTrailingByte(p256()), 'more than the plain key'],
    [
      'an unfinished header',
      '---- BEGIN SSH2 PUBLIC KEY ----\na: b\\\n---- END SSH2 PUBLIC KEY ----',
      'cut off',
    ],
    ['an SSH2 block without end', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'the key is cut off'],
  ])('%s is refused with a reason', (_, text, reason) => {
    const { message } = refusal(text)
    expect(message).toMatch(/^Invalid key content: /)
    expect(message).toContain(reason)
  })
})

describe('the bytes of a key', () => {
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.alloc(512, 0xff)])
  const e = Buffer.from([1, 0, 1])
  const rsa = (...fields: Field[]) => blobOf('ssh-rsa', ...fields)
  const ec = (type: string, curve: string, point: Buffer) => blobOf(`ecdsa-sha2-${type}`, curve, point)

  test.each([
    ['a short ed25519 key', blobOf('ssh-ed25519', Buffer.alloc(31)), 'has 31 bytes; it must have 32'],
    [
      'bytes after an ed25519 key',
      blobOf('ssh-ed25519', Buffer.alloc(32), ''),
      'followed by 4 further bytes',
    ],
    ['bytes after an RSA key', rsa(e, modulus, 'x'), 'followed by 5 further bytes'],
    ['an even RSA exponent', rsa(Buffer.from([4]), modulus), 'must be odd'],
    ['an RSA exponent of 1', rsa(Buffer.from([1]), modulus), 'greater than 1'],
    ['an RSA exponent of 0', rsa('', modulus), 'exponent is zero'],
    ['an RSA exponent beyond its modulus', rsa(modulus, e), 'less than the modulus'],
    ['a negative RSA modulus', rsa(e, modulus.subarray(1)), 'modulus is negative'],
    ['an even RSA modulus', rsa(e, Buffer.concat([modulus, Buffer.alloc(1)])), 'modulus must be odd'],
    ['needless zeros before a modulus', rsa(e, Buffer.concat([Buffer.alloc(1), modulus])), 'leading zeros'],
    ['an RSA key without modulus', rsa(e), 'cut off at its modulus'],
    ['an RSA key of 16385 bits', rsa(e, Buffer.alloc(2049, 1)), 'got 16385, at most 16384'],
    ['another curve than its type', ec('nistp256', 'nistp384', pointOf('P-384')), 'must be nistp256'],
    ['a point of another length', ec('nistp384', 'nistp384', pointOf('P-256')), '97 bytes beginning with 4'],
    ['a P-256 point off the curve', ec('nistp256', 'nistp256', offCurve(pointOf('P-256'))), 'does not lie'],
    ['a P-521 point off the curve', ec('nistp521', 'nistp521', offCurve(pointOf('P-521'))), 'does not lie'],
    ['an unprintable type', blobOf('ssh rsa\n', e), 'not an SSH public key'],
  ])('%s is refused', (_, blob, reason) => {
    expect(refusal(`AAAA${blob.toString('base64').slice(4)}`).message).toContain(reason)
  })

  test('RSA of exactly 3071 and 16384 bits is accepted, 3070 is not', () => {
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

  test('an unknown algorithm is named with those that are accepted', () => {
    const base64 = blobOf('ssh-new@example.org', 'x').toString('base64')
    const message = /^Unable to verify key content: ssh-new@example\.org is not .* accepted are ssh-ed25519, /
    expect(refusal(base64).message).toMatch(message)
    expect(refusal(`ssh-new@example.org ${base64} me`).message).toMatch(message)
  })

  test('a type that is no harmless word is not echoed', () => {
    const { message } = refusal('<script> AAAAB3NzaC1yc2E')
    expect(message).toMatch(/^Unable to verify key content: accepted are /)
  })

  test.each(['constructor', '__proto__', 'toString'])('%s is no key type', word => {
    expect(refusal(blobOf(word, 'x').toString('base64')).kind).toBe('unprocessable')
  })
})

describe('whatever is pasted', () => {
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

  test('arbitrary text is a key or an unprocessable refusal', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), parsesOrRefuses), { numRuns: 1000 })
    const mosaic = fc.array(fc.oneof(shard, fc.string({ maxLength: 5 })), { maxLength: 20 })
    fc.assert(
      fc.property(mosaic, pieces => parsesOrRefuses(pieces.join(''))),
      { numRuns: 2000 },
    )
  })

  test.skipIf(!hasSshKeygen)('a damaged key is a key or an unprocessable refusal', async () => {
    const exported = (format: string, name: string) =>
      run('ssh-keygen', ['-e', '-m', format, '-f', join(dir, `${name}.pub`)]).then(({ stdout }) => stdout)
    const whole = [
      ...['ed25519-256', 'ecdsa-256', 'rsa-3072'].map(name => pub[name]!),
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
      { numRuns: 2000 },
    )
  })

  test.skipIf(!hasSshKeygen)('a key with damaged bytes is a key or an unprocessable refusal', () => {
    const blobs = ['ed25519-256', 'ecdsa-384', 'rsa-3072'].map(name =>
      Buffer.from(pub[name]!.split(' ')[1]!, 'base64'),
    )
    fc.assert(
      fc.property(fc.constantFrom(...blobs), fc.nat(500), fc.nat(255), (blob, at, value) => {
        parsesOrRefuses(withByte(blob, at, value).toString('base64'))
        parsesOrRefuses(blob.subarray(0, at).toString('base64'))
      }),
      { numRuns: 1000 },
    )
  })

  test('a PEM key with damaged bytes is a key or an unprocessable refusal', () => {
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
      { numRuns: 1500 },
    )
  })
})

type Field = string | Buffer

async function generate(type: string, bits: number): Promise<void> {
  const file = join(dir, `${type}-${bits}`)
  await run('ssh-keygen', ['-q', '-t', type, '-b', `${bits}`, '-N', '', '-C', 'me at home', '-f', file])
  pub[`${type}-${bits}`] = await readFile(`${file}.pub`, 'utf8')
}

async function fingerprintBySshKeygen(text: string): Promise<string> {
  const file = join(dir, `lf-${Math.random()}.pub`)
  await writeFile(file, `${text.trim()}\n`)
  const { stdout } = await run('ssh-keygen', ['-lf', file])
  return stdout.split(' ')[1]!
}

function refusal(text: string): DomainError {
  try {
    parsePublicKey(text)
  } catch (error) {
    if (isDomainError(error)) {
      expect(error).toMatchObject({ kind: 'unprocessable', field: 'key' })
      return error
    }
    throw error
  }
  throw new Error('the text was accepted')
}

function blobOf(...fields: Field[]): Buffer {
  const parts = fields.map(field => {
    const bytes = Buffer.from(field as Buffer)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return Buffer.concat(parts)
}

function pointOf(curve: 'P-256' | 'P-384' | 'P-521'): Buffer {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
}

function offCurve(point: Buffer): Buffer {
  const moved = Buffer.from(point)
  moved[moved.length - 1]! ^= 1
  return moved
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at % copy.length] = value
  return copy
}

function withTrailingByte(pem: string): string {
  const [begin, ...rest] = pem.trim().split('\n')
  const der = Buffer.from(rest.slice(0, -1).join(''), 'base64')
  return [begin, Buffer.concat([der, Buffer.alloc(1)]).toString('base64'), rest.at(-1)].join('\n')
}

function splice(text: string, { at, cut, put }: { at: number; cut: number; put: string }): string {
  const start = at % (text.length + 1)
  return text.slice(0, start) + put + text.slice(start + cut)
}
