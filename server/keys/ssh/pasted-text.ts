// Spaces in text copied from pages, documents and chats: no-break, narrow or wide ones.
const spaces = /\p{Zs}/gu

// Characters such as the soft hyphen, the zero-width space, the word joiner and the byte order mark, which have no
// meaning in a key.
const invisible = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g

// Joiners and direction marks are parts of words in some scripts and of emoji, but never next to ASCII characters.
const joiners = /[\u200c-\u200f]+/g

// As escapes, like all characters here: a single character beyond Latin-1 doubles what the text of a program takes in
// memory.
const quoted =
  /^\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|[\u201c\u201d\u201e]([^\u201c\u201d\u201e]*)[\u201c\u201d]|[\u2018\u2019\u201a]([^\u2018\u2019\u201a]*)[\u2018\u2019])\s*$/

/**
 * Removes the invisible characters and quotation marks that copying adds to a pasted key, in any key format.
 * Has no imports, so that a form can call it before anything leaves the browser.
 */
export function cleanPasted(text: string): string {
  const plain = withoutInvisible(text)
  const [, ...parts] = quoted.exec(plain) ?? []
  return parts.find(part => part !== undefined) ?? plain
}

/** Replaces every Unicode space with an ASCII space, and removes invisible characters. */
export function withoutInvisible(text: string): string {
  return text
    .replace(spaces, ' ')
    .replace(invisible, '')
    .replace(joiners, (run, at: number, whole: string) =>
      isAscii(whole[at - 1]) || isAscii(whole[at + run.length]) ? '' : run,
    )
}

const isAscii = (letter = ''): boolean => letter <= '\u007f'

/** Returns the code point of the first character that no key contains, such as `U+2013`; undefined if there is none. */
export function foreignCharacter(text: string): string | undefined {
  const [found] = /[^\t\n\r\x20-\x7e]/u.exec(text) ?? []
  return found && codePoint(found)
}

/** Returns the code point of a character, such as `U+2013`, which names it without showing it. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
