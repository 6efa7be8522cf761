// Characters that show nothing or change the order in which others are shown. Tabs, line breaks and form feeds
// are ordinary in source files.
const unseen =
  /(?![\t\n\f])(?:[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f])/u
const each = new RegExp(unseen.source, 'gu')

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
// Scripts whose letters are joined or kept apart by joiners.
const joined =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Nko}\p{scx=Mandaic}\p{scx=Mongolian}\p{scx=Phags_Pa}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Balinese}\p{scx=Javanese}\p{scx=Brahmi}]/u
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\ufe0f/u
const keycap = /[\d#*]/

/** Whether a text has invisible characters that may have no place in it. */
export const mayHide = (text: string): boolean => unseen.test(text)

/**
 * Returns the positions of invisible characters in the part of a text from `from` up to `to` that have no
 * place in it: those that emoji and scripts such as Arabic, Hebrew and Hindi need where they are do not count.
 * Neither does a byte order mark at the beginning.
 */
export function invisibleIn(text: string, from = 0, to = text.length): number[] {
  const found: number[] = []
  for (const { 0: letter, index } of text.slice(from, to).matchAll(each))
    if (!isNeeded(letter, text, from + index)) found.push(from + index)
  return found
}

function isNeeded(letter: string, text: string, at: number): boolean {
  const code = letter.codePointAt(0) ?? 0
  const before = letterBefore(text, at)
  const next = text.codePointAt(at + letter.length)
  const after = next === undefined ? '' : String.fromCodePoint(next)
  if (code === 0xfeff) return at === 0
  // A mark beside a letter of its direction changes nothing that the letter does not.
  if (code === 0x200e || code === 0x200f || code === 0x61c)
    return rightToLeft.test(before) || rightToLeft.test(after)
  if (code === 0x200c) return joined.test(before) && joined.test(after)
  if (code === 0x200d)
    return (emoji.test(before) && /\p{Extended_Pictographic}/u.test(after)) || joined.test(before)
  if (code >= 0xfe00 && code <= 0xfe0f) return isVariation(code, before, after)
  if (code >= 0x180b && code <= 0x180f) return /\p{scx=Mongolian}/u.test(before)
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Unified_Ideograph}/u.test(before)
  return code >= 0xe0020 && code <= 0xe007f && isFlag(text, at)
}

function isVariation(code: number, before: string, after: string): boolean {
  if (keycap.test(before)) return code === 0xfe0f && after === '\u20e3'
  if (code >= 0xfe0e) return /\p{Emoji}/u.test(before)
  return /[\p{Unified_Ideograph}\p{Sm}\p{scx=Myanmar}]/u.test(before)
}

// The flags of regions such as Scotland: a black flag, up to six letters or digits, and an end mark.
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu
const flagLength = 16

function isFlag(text: string, at: number): boolean {
  const start = Math.max(0, at - flagLength)
  for (const { 0: whole, index } of text.slice(start, at + flagLength).matchAll(flag))
    if (start + index < at && at < start + index + whole.length) return true
  return false
}

function letterBefore(text: string, at: number): string {
  if (at === 0) return ''
  const isPair = at > 1 && /[\udc00-\udfff]/.test(text[at - 1] ?? '')
  return text.slice(at - (isPair ? 2 : 1), at)
}
