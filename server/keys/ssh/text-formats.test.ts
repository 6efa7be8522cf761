import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { series } from '@/testing/series'
import { parsePublicKey } from './parse'
import { hasSshKeygen, refusal, useGeneratedKeys } from './testing/keys'

const keys = useGeneratedKeys('rsa-3072', 'ecdsa-256')
const megabytes = series(1, 10)

describe.skipIf(!hasSshKeygen)('a pasted public key', () => {
  const key = () => parsePublicKey(keys.pub['rsa-3072']!)
  const parts = () => keys.pub['rsa-3072']!.trim().split(' ') as [string, string, ...string[]]

  test.each<[string, (text: string) => string]>([
    ['blank lines around it', text => `\n \r\n\n${text}\n\n\t\n`],
    ['a byte order mark', text => `\uFEFF${text}`],
    ['a byte order mark within', text => text.replace('AAAA', '\uFEFFAAAA')],
    ['spaces that do not break', text => text.replaceAll(' ', '\u00a0')],
    ['narrow and wide spaces', text => text.replace(' ', '\u202f').replace(' ', '\u3000')],
    ['a zero-width space in front', text => `\u200b${text}`],
    [
      'zero-width characters and soft hyphens within',
      text => text.replace(/[\w+/]{40}/g, '$&\u200b\u00ad\u200d'),
    ],
    ['marks of direction around it', text => `\u200e${text.trim()}\u200f\u200e`],
    ['quotation marks', text => `"${text.trim()}"`],
    ['typographic quotation marks', text => `“${text.trim()}”\n`],
    ['CRLF', text => text.replaceAll('\n', '\r\n')],
    ['tabs between its parts', text => text.replace(/ /, '\t').replace(/ /, ' \t')],
    ['lines of 70 characters', text => text.match(/.{1,70}/g)!.join('\n')],
    ['CRLF lines of 61 characters', text => text.match(/.{1,61}/g)!.join('\r\n')],
    ['indented lines', text => text.replace(/[\w+/]{64}/g, '$&\n    ')],
    ['the parts on lines of their own', text => text.replace(/ /, '\n').replace(/ /, '\n')],
  ])('is read as the same key with %s', (_, shape) => {
    expect(parsePublicKey(shape(keys.pub['rsa-3072']!))).toEqual(key())
  })

  test('takes its type from the key if it is bare base64', () => {
    const [type, base64] = parts()
    expect(parsePublicKey(base64).content).toBe(`${type} ${base64}`)
    expect(parsePublicKey(base64.match(/.{1,64}/g)!.join('\n')).content).toBe(`${type} ${base64}`)
  })

  test('is accepted without its base64 padding', () => {
    const [type, base64] = keys.pub['ecdsa-256']!.split(' ') as [string, string]
    expect(base64).toMatch(/=$/)
    expect(parsePublicKey(`${type} ${base64.replace(/=+$/, '')}`).content).toBe(`${type} ${base64}`)
  })

  test('keeps its comment, if any, with inner spaces and in any script', () => {
    const [type, base64] = parts()
    expect(parsePublicKey(`${type} ${base64}`).comment).toBe('')
    expect(parsePublicKey(`${type} ${base64}   Zoë’s  鍵 🗝️ 👩‍🚀 `).comment).toBe('Zoë’s  鍵 🗝️ 👩‍🚀')
  })

  test('can have an RFC 4716 comment without quotes or over several lines', () => {
    const [, base64] = parts()
    const block = (headers: string) =>
      `---- BEGIN SSH2 PUBLIC KEY ----\n${headers}\n${base64}\n---- END SSH2 PUBLIC KEY ----`
    expect(parsePublicKey(block('Subject: me\ncomment: my \\\nold \\\nkey\nx-a: "b"')).comment).toBe(
      'my old key',
    )
    expect(parsePublicKey(block('Comment: "a: b"')).comment).toBe('a: b')
    expect(parsePublicKey(block('Comment: “a: b”')).comment).toBe('a: b')
    expect(refusal(block('Comment: "a" \u0007')).message).toContain('control characters')
    expect(refusal(block(`Comment: ${base64}`)).message).toContain('more than one key')
  })

  test.each<[string, (text: string) => string, string]>([
    ['nothing', () => ' \n', 'the text is empty'],
    ['prose', () => 'please add my key', 'there is no public key here'],
    ['a word', () => 'hello', 'there is no public key here'],
    ['base64 of something else', () => 'aGVsbG8gd29ybGQ=', 'there is no public key here'],
    ['options before the key', text => `no-pty,command="a b" ${text}`, 'there is text before the key'],
    ['a host before the key', text => `example.org ${text}`, 'there is text before the key'],
    ['two lines', text => `${text}${text}`, 'more than one key'],
    ['two keys on one line', text => `${text.trim()} ${text}`, 'more than one key'],
    ['a second key without a type', text => `${text}${text.split(' ')[1]}`, 'more than one key'],
    ['two keys without type', text => `${text.split(' ')[1]}\n${text.split(' ')[1]}`, 'more than one key'],
    ['no key after the type', text => text.split(' ')[0]!, 'the key itself is missing'],
    ['a foreign character', text => text.replace(/AAAA/, 'AA*A'), 'not valid base64'],
    ['a dash of typographers in its type', text => text.replace('ssh-rsa', 'ssh–rsa'), 'U+2013'],
    ['a letter of another script', text => text.replace('AAAA', 'AA\u0410A'), 'U+0410'],
    ['an ellipsis', text => text.replace(/[\w+/]{40}/, '…'), 'U+2026'],
    [
      'an ellipsis on a later line',
      text =>
        text
          .match(/.{1,70}/g)!
          .join('\n')
          .replace(/\n(.{30})./, '\n$1…'),
      'U+2026',
    ],
    ['a control character within', text => text.replace('AAAA', 'AA\u0007AA'), 'U+0007'],
    ['typographic dashes around a block', () => '—–BEGIN PUBLIC KEY—–\nMFkw\n—–END PUBLIC KEY—–', 'U+2014'],
    ['an odd end', text => text.split(' ')[1]!.slice(0, -3), 'cut off or damaged'],
    ['a missing tail', text => text.split(' ')[1]!.slice(0, -8), 'cut off (in its part "modulus")'],
    [
      'the wrong type',
      text => text.replace('ssh-rsa', 'ssh-ed25519'),
      'is labeled ssh-ed25519 but contains ssh-rsa',
    ],
    ['a control character', text => `${text.trim()}\u0000`, 'control characters'],
    ['a bidirectional override', text => `${text.trim()}\u202e!`, 'control characters (U+202E)'],
  ])('is refused with the reason: %s', (_, shape, reason) => {
    const { message } = refusal(shape(keys.pub['rsa-3072']!))
    expect(message).toMatch(/^Invalid key content: /)
    expect(message).toContain(reason)
  })

  test('is refused above 9.5 KiB, counted in bytes', () => {
    const text = `${parts().slice(0, 2).join(' ')} `
    expect(parsePublicKey(text.padEnd(9728, 'c')).content).toHaveLength(9728)
    expect(refusal(text.padEnd(9729, 'c')).message).toBe('SSH public key content is too long')
    expect(refusal(text.padEnd(9700, 'é')).message).toBe('SSH public key content is too long')
    expect(refusal(text.slice('ssh-rsa '.length).padEnd(9728, 'c')).message).toContain('too long')
  })

  test.each(['A', '-', '\n', ' ', '=', '-----BEGIN '])(
    `is refused quickly if it is ${megabytes} MB of %j`,
    {
      tags: 'series',
    },
    unit => {
      const text = unit.repeat((megabytes * 1_000_000) / unit.length)
      expect(refusal(text).message).toBe('SSH public key content is too long')
    },
  )
})

describe('PEM and RFC 4716 blocks', () => {
  const pem = (keys: { publicKey: { export(o: object): string | Buffer } }) =>
    keys.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const p256 = () => pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const explicit = { namedCurve: 'P-256', paramEncoding: 'explicit' as const }

  test.each([
    ['two blocks', p256() + p256(), 'more than one key'],
    ['text before', `hello\n${p256()}`, 'there is text before the key'],
    ['text after', `${p256()}hello`, 'there is text after the key'],
    ['no END line', p256().split('-----END')[0]!, 'the key is cut off'],
    ['headers', p256().replace('\n', '\nProc-Type: 4,ENCRYPTED\n'), 'not valid base64'],
    ['a lost line', p256().replace(/\n.*\n/, '\n'), 'the PEM block is damaged'],
    ['the label of another form', p256().replaceAll('PUBLIC', 'RSA PUBLIC'), 'the PEM block is damaged'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'not a public key'],
    ['an X25519 key', pem(generateKeyPairSync('x25519')), 'of another kind'],
    [
      'a DSA key',
      pem(generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })),
      'key type is not allowed: dsa',
    ],
    ['an RSA-PSS key', pem(generateKeyPairSync('rsa-pss', { modulusLength: 1024 })), 'of another kind'],
    ['a curve SSH lacks', pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), 'of another kind'],
    ['spelled-out curve parameters', pem(generateKeyPairSync('ec', explicit)), 'more than the key itself'],
    ['bytes after the key', withTrailingByte(p256()), 'more than the key itself'],
    [
      'an unfinished header',
      '---- BEGIN SSH2 PUBLIC KEY ----\na: b\\\n---- END SSH2 PUBLIC KEY ----',
      'cut off',
    ],
    ['an SSH2 block without end', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'the key is cut off'],
  ])('are refused with a reason: %s', (_, text, reason) => {
    const { message } = refusal(text)
    expect(message).toMatch(/^Invalid key content: /)
    expect(message).toContain(reason)
  })
})

function withTrailingByte(pem: string): string {
  const [begin, ...rest] = pem.trim().split('\n')
  const der = Buffer.from(rest.slice(0, -1).join(''), 'base64')
  return [begin, Buffer.concat([der, Buffer.alloc(1)]).toString('base64'), rest.at(-1)].join('\n')
}
