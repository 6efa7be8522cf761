// One UTF-8 character, or any other byte beyond ASCII, in a text that has one character per byte.
const piece =
  /([\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|([\x80-\xff])/g

const escapeBase = 0xdc00

// With the flag u, neither half of a surrogate pair matches.
const escaped = /[\udc80-\udcff]/gu

/**
 * Decodes text that Git wrote, such as ref names. Git allows arbitrary bytes in names. Each byte that is not
 * valid UTF-8 becomes a lone surrogate, so that different names never decode to the same text.
 */
export function textFromGit(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD')) return text
  return bytes
    .toString('latin1')
    .replace(piece, (_, character: string | undefined, byte: string) =>
      character === undefined
        ? String.fromCharCode(escapeBase + byte.charCodeAt(0))
        : Buffer.from(character, 'latin1').toString('utf8'),
    )
}

/** Splits output of Git into lines and decodes each of them with `textFromGit`. */
export function linesFromGit(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD')) return text.split('\n')
  // A line break is always a single byte, so no character spans two lines.
  return bytes
    .toString('latin1')
    .split('\n')
    .map(line => textFromGit(Buffer.from(line, 'latin1')))
}

/** Encodes text for Git; the inverse of `textFromGit`. */
export function bytesForGit(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - escapeBase),
    ),
  )
}

/**
 * Returns a name from Git, such as a ref name, for display: bytes that are not valid UTF-8 are
 * percent-encoded.
 */
export const shownName = (name: string): string =>
  name.replace(escaped, byte => `%${hex(byte).toUpperCase()}`)

/**
 * Returns a name from Git for an error message: bytes that are not valid UTF-8 are escaped as in `caf\xe9`.
 */
export const nameWithBytes = (name: string): string => name.replace(escaped, byte => `\\x${hex(byte)}`)

const hex = (byte: string): string => (byte.charCodeAt(0) - escapeBase).toString(16)

/**
 * Decodes the percent-encoded bytes in a name that `shownName` returned. Returns undefined if the decoded
 * name is valid UTF-8, because `shownName` would not have encoded it.
 */
export function nameShownAs(shown: string): string | undefined {
  const bytes = shown
    .split(/%([89a-f][0-9a-f])/i)
    .map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex')))
  const name = textFromGit(Buffer.concat(bytes))
  return name.isWellFormed() ? undefined : name
}
