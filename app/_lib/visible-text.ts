// Control characters except tabs and line breaks, characters that change the text direction, and characters
// without width. Joiners are kept, because emoji and several scripts need them.
const unseen =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Returns someone else's text with invisible characters written out, such as `\u202e`, so that it is shown as
 * it is and cannot change how the text around it reads. Keeps line breaks.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, letter => {
    const code = letter.codePointAt(0) ?? 0
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** Like `visibleText`, for a name, in which line breaks and tabs are written out, too. */
export const visibleLine = (text: string): string =>
  visibleText(text).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')

// Hebrew, Arabic, and related scripts.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Returns someone else's name for use inside a text: invisible characters are written out, and a
 * right-to-left name does not reorder the words and numbers around it.
 */
export function isolated(text: string): string {
  const line = visibleLine(text)
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line
}
