// Copied from pages, documents and chats: spaces that do not break, are narrow or wide.
const spaces = /\p{Zs}/gu

// Such as the soft hyphen, the zero-width space, the word joiner and the byte order mark, which say nothing anywhere.
const invisible = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g

// Joiners and marks of direction belong to words of some scripts, and to emoji, but never beside ASCII.
const joiners = /[\u200c-\u200f]+/g

const quoted = /^\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|[“„”]([^“„”]*)[“”]|[‘‚’]([^‘‚’]*)[‘’])\s*$/

/**
 * Takes away what copying puts into a text without anybody seeing it, and quotation marks around all of it: for every form
 * of a key. Free of imports, so that a form can ask before anything leaves the browser.
 */
export function cleanPasted(text: string): string {
  const plain = withoutInvisible(text)
  const [, ...parts] = quoted.exec(plain) ?? []
  return parts.find(part => part !== undefined) ?? plain
}

/** Makes every kind of space a plain one, and takes away what nobody sees. */
export function withoutInvisible(text: string): string {
  return text
    .replace(spaces, ' ')
    .replace(invisible, '')
    .replace(joiners, (run, at: number, whole: string) =>
      isAscii(whole[at - 1]) || isAscii(whole[at + run.length]) ? '' : run,
    )
}

const isAscii = (letter = ''): boolean => letter <= '\u007f'

/** Names the first character of a text that no key has, such as `U+2013`; undefined where all are of one. */
export function foreignCharacter(text: string): string | undefined {
  const [found] = /[^\t\n\r\x20-\x7e]/u.exec(text) ?? []
  return found && codePoint(found)
}

/** How a character is named without showing it, such as `U+2013`. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
