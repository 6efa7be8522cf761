import { decodeBase64, looksLikeKeyBlob } from './base64'
import { acceptedTypes, isCertificateType, isKeyType } from './blob'
import { cleanComment } from './comment'
import { certificateGiven, invalidKey, noPublicKey, severalKeysGiven, unknownKeyType } from './errors'

/**
 * Reads `type base64 comment`, or the base64 alone, also when it was wrapped over several lines.
 * Throws unprocessable for anything before the key, for a second key, and for text that is no key at all.
 */
export function readOpenSshLine(lines: readonly string[]): {
  declaredType?: string
  blob: Buffer
  comment: string
} {
  const words = lines.join('\n').split(/\s+/)
  const [first = ''] = words
  if (!isKeyType(first) && !looksLikeKeyBlob(first)) requireLoneBase64(words)
  if (hasSecondKey(lines, words)) throw severalKeysGiven()

  const declaredType = isKeyType(first) ? first : undefined
  const { base64, comment } = unwrap(declaredType ? withoutFirstWord(lines) : lines)
  return { declaredType, blob: decodeBase64(base64), comment: cleanComment(comment) }
}

/** The text does not begin with a key: says why, unless its first word may be the base64 of one. */
function requireLoneBase64([first = '', ...rest]: string[]): void {
  if (isCertificateType(first)) throw certificateGiven()
  if (rest.some(word => isKeyType(word) || isCertificateType(word))) {
    throw invalidKey(
      'text stands before the key, perhaps options from authorized_keys; begin with the key type, such as ssh-ed25519',
    )
  }
  if (rest[0]?.startsWith('AAAA')) throw unknownKeyType(first, acceptedTypes)
  if (!first.startsWith('AAAA')) {
    throw noPublicKey('there is no public key here; paste the whole line of a .pub file: ssh-ed25519 AAAA…')
  }
}

function hasSecondKey(lines: readonly string[], words: string[]): boolean {
  const startsKey = (line: string) => {
    const [word] = splitWord(line)
    return isKeyType(word) || isCertificateType(word)
  }
  return words.filter(looksLikeKeyBlob).length > 1 || lines.slice(1).some(startsKey)
}

/** Puts a wrapped key together again: a later line that cannot be base64 begins the comment. */
function unwrap(lines: readonly string[]): { base64: string; comment: string } {
  let base64 = ''
  let comment = ''
  for (const [index, line] of lines.entries()) {
    const [word, rest] = splitWord(line)
    const continues = comment === '' && (index === 0 || canContinue(base64, word))
    if (continues) base64 += word
    comment += continues ? rest : line
  }
  return { base64, comment }
}

function canContinue(base64: string, word: string): boolean {
  return !base64.endsWith('=') && /^[A-Za-z0-9+/]+={0,2}$/.test(word)
}

function withoutFirstWord([first = '', ...others]: readonly string[]): string[] {
  const [, rest] = splitWord(first)
  return rest === '' ? others : [rest, ...others]
}

function splitWord(line: string): [word: string, rest: string] {
  const gap = line.search(/[ \t]/)
  return gap === -1 ? [line, ''] : [line.slice(0, gap), line.slice(gap).trim()]
}
