import { acceptedTypes, isCertificateType, isKeyType } from './blob'
import { decodeBase64, isArmorLine, joinTrimmed, linesWithin, looksLikeKeyBlob } from './encoding'
import {
  certificateNotKey,
  foreignCharacterError,
  invalidKey,
  noPublicKey,
  privateKeyPasted,
  severalKeys,
  unknownKeyType,
} from './errors'
import { codePoint, foreignCharacter, withoutInvisible } from './pasted-text'
import { readPemKey } from './pem-key'
import { looksLikePrivateKey } from './private-key'

/**
 * A public key read from one of the text formats: the key in SSH wire format, the comment, and, only for the
 * OpenSSH format, the key type stated before the base64.
 */
export interface KeyText {
  declaredType?: string
  blob: Buffer
  comment: string
}

/**
 * Detects the format of a public key (OpenSSH line, bare base64, RFC 4716 block or PEM) and reads it.
 * @throws {DomainError} unprocessable if the text has none of these formats.
 */
export function readKeyText(text: string): KeyText {
  const lines = text.split(/\r\n|\r|\n/).filter(line => line.trim() !== '')
  if (lines.length === 0) throw noPublicKey('the text is empty; paste the contents of a .pub file')
  if (lines.some(isRfc4716Line)) return readRfc4716(lines)
  if (lines.some(isArmorLine)) return { blob: readPemKey(lines), comment: '' }
  return readOpenSshLine(lines.map(line => line.trim()))
}

/**
 * Reads `type base64 comment` or bare base64, even if wrapped over several lines.
 * @throws {DomainError} unprocessable for text before the key, for a second key, and for text that contains no key.
 */
function readOpenSshLine(lines: readonly string[]): {
  declaredType?: string
  blob: Buffer
  comment: string
} {
  const words = lines.join('\n').split(/\s+/)
  const [first = ''] = words
  if (!isKeyType(first) && !looksLikeKeyBlob(first)) requireLoneBase64(words)
  if (hasSecondKey(lines, words)) throw severalKeys()

  const declaredType = isKeyType(first) ? first : undefined
  const { base64, comment } = unwrap(declaredType ? withoutFirstToken(lines) : lines)
  return { declaredType, blob: decodeBase64(base64), comment: cleanComment(comment) }
}

// The text does not start with a key. Says why, unless its first word may be the base64 of a key.
function requireLoneBase64([first = '', ...rest]: string[]): void {
  if (isCertificateType(first)) throw certificateNotKey()
  if (rest.some(word => isKeyType(word) || isCertificateType(word))) {
    throw invalidKey(
      'there is text before the key, perhaps options from authorized_keys; begin with the key type, such as ssh-ed25519',
    )
  }
  // A key whose type or first line was changed by copying it.
  const foreign = foreignCharacter(first)
  if (foreign && [first, ...rest].some(word => /AAAA|BEGIN/.test(word))) throw foreignCharacterError(foreign)
  if (rest[0]?.startsWith('AAAA')) throw unknownKeyType(first, acceptedTypes)
  if (!first.startsWith('AAAA')) {
    throw noPublicKey('there is no public key here; paste the whole line of a .pub file: ssh-ed25519 AAAA…')
  }
}

function hasSecondKey(lines: readonly string[], words: string[]): boolean {
  const startsKey = (line: string) => {
    const [word] = splitToken(line)
    return isKeyType(word) || isCertificateType(word)
  }
  return words.filter(looksLikeKeyBlob).length > 1 || lines.slice(1).some(startsKey)
}

// Joins a wrapped key: the comment starts at the first later line that cannot be base64.
function unwrap(lines: readonly string[]): { base64: string; comment: string } {
  let base64 = ''
  let comment = ''
  for (const [index, line] of lines.entries()) {
    const [word, rest] = splitToken(line)
    const continues = comment === '' && (index === 0 || canContinue(base64, word))
    if (continues) base64 += word
    comment += continues ? rest : line
  }
  return { base64, comment }
}

function canContinue(base64: string, word: string): boolean {
  return !base64.endsWith('=') && (/^[A-Za-z0-9+/]+={0,2}$/.test(word) || isDamagedLine(word))
}

// Longer than any word of a comment, and different from base64 only by a foreign character.
function isDamagedLine(word: string): boolean {
  return word.length > 40 && /^[A-Za-z0-9+/]+\P{ASCII}+[A-Za-z0-9+/]*={0,2}$/u.test(word)
}

function withoutFirstToken([first = '', ...others]: readonly string[]): string[] {
  const [, rest] = splitToken(first)
  return rest === '' ? others : [rest, ...others]
}

function splitToken(line: string): [word: string, rest: string] {
  const gap = line.search(/[ \t]/)
  return gap === -1 ? [line, ''] : [line.slice(0, gap), line.slice(gap).trim()]
}

const begin = '---- BEGIN SSH2 PUBLIC KEY ----'
const end = '---- END SSH2 PUBLIC KEY ----'

const isRfc4716Line = (line: string): boolean => line.trim() === begin

// The block that RFC 4716 defines, with its Comment header.
function readRfc4716(lines: readonly string[]): { blob: Buffer; comment: string } {
  const body = linesWithin(lines, begin, end)
  let comment = ''
  let at = 0
  while (body[at]?.includes(':')) {
    let header = body[at++]!.trimEnd()
    while (header.endsWith('\\')) {
      if (at === body.length) throw invalidKey('a header of the key is cut off; copy the whole block')
      header = header.slice(0, -1) + body[at++]!.trimEnd()
    }
    const colon = header.indexOf(':')
    if (header.slice(0, colon).trim().toLowerCase() === 'comment') comment = unquoted(header.slice(colon + 1))
  }
  return { blob: decodeBase64(joinTrimmed(body.slice(at))), comment: cleanComment(comment) }
}

function unquoted(value: string): string {
  const text = value.trim()
  return /^["“„”].*["“”]$/s.test(text) ? text.slice(1, -1) : text
}

// Bidirectional overrides could disguise a listed key, and lone surrogates cannot be stored.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

// Trims a comment, and refuses one that is unprintable or contains another key.
function cleanComment(text: string): string {
  const comment = withoutInvisible(text).trim()
  const [hidden] = unprintable.exec(comment) ?? []
  if (hidden !== undefined) {
    const named = `control characters (${codePoint(hidden)})`
    throw invalidKey(`the comment contains ${named}; use printable text on one line`)
  }
  if (looksLikePrivateKey(comment)) throw privateKeyPasted()
  if (comment.split(/\s+/).some(looksLikeKeyBlob)) throw severalKeys()
  return comment
}
