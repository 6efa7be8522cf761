// Control characters but for tabs and line ends, what changes the direction of the text after it, and what takes no space.
// Joiners stay: emoji and several scripts are written with them.
const unseen =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * A text of somebody else with what nobody could see in it written out, such as `\u202e`: it reads on the page as it is, and
 * cannot make the words around it read otherwise. Lines stay lines.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, letter => {
    const code = letter.codePointAt(0) ?? 0
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** The same for a name, which has but one line. */
export const visibleLine = (text: string): string =>
  visibleText(text).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')

// Hebrew, Arabic and their neighbors.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A name of somebody else for the middle of a text of our own: what nobody could see in it is written out, and the words and
 * numbers around it keep their place, whatever direction it is written in.
 */
export function isolated(text: string): string {
  const line = visibleLine(text)
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line
}
