// One character of UTF-8, or any other byte beyond ASCII, in text that has a character for each byte.
const piece =
  /([\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|([\x80-\xff])/g

const escapeBase = 0xdc00

// Of a pair of surrogates, neither is one by itself.
const escaped = /[\udc80-\udcff]/gu

/**
 * Reads text that git wrote, such as the names of refs. Git takes names of any bytes: those that are no UTF-8 become lone
 * surrogates, one for each byte, so that no two names read the same, and none of text reads like one of these.
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

/** Reads lines that git wrote, each as `textFromGit` reads it. */
export function linesFromGit(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD')) return text.split('\n')
  // A character of one line never ends in the next: a line end is a byte of its own.
  return bytes
    .toString('latin1')
    .split('\n')
    .map(line => textFromGit(Buffer.from(line, 'latin1')))
}

/** The bytes of text as git knows it. */
export function bytesForGit(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - escapeBase),
    ),
  )
}

/** A name as everybody is shown it: bytes that are no text are percent-encoded. */
export const shownName = (name: string): string =>
  name.replace(escaped, byte => `%${hex(byte).toUpperCase()}`)

/** A name as a message about its bytes has it, such as `caf\xe9`. */
export const nameWithBytes = (name: string): string => name.replace(escaped, byte => `\\x${hex(byte)}`)

const hex = (byte: string): string => (byte.charCodeAt(0) - escapeBase).toString(16)

/** The name with bytes that are no text which is shown like this; undefined where none is. */
export function nameShownAs(shown: string): string | undefined {
  const bytes = shown
    .split(/%([89a-f][0-9a-f])/i)
    .map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex')))
  const name = textFromGit(Buffer.concat(bytes))
  return name.isWellFormed() ? undefined : name
}
