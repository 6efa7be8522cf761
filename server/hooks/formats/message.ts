/** Part of a sentence in a chat message, on one line and optionally linked. */
export interface Part {
  text: string
  /** An http or https URL without characters that end a link in any markup. */
  url?: string
}

/** A chat message about an event, independent of the chat's format. */
export interface Message {
  /** The sentence that describes the event. */
  sentence: Part[]
  /** Details of the event, such as the commits of a push, one per line. */
  lines: Part[][]
  /** A link to more information about the event. */
  url?: string
  tone: Tone
  sender: Part & { avatar?: string }
}

export type Tone = 'good' | 'bad' | 'caution' | 'neutral'

/** Colors of chat messages by tone, as hexadecimal digits. */
export const colors: Readonly<Record<Tone, string>> = {
  good: '1a7f37',
  bad: 'cf222e',
  caution: 'bf8700',
  neutral: '6e7781',
}

/** Markup language that a chat service, such as Slack, renders in messages. */
export interface Markup {
  /** Replacements for characters that have a special meaning in the markup. */
  escapes: Readonly<Record<string, string>>
  link: (url: string, text: string) => string
}

export const plain: Markup = { escapes: {}, link: (url, text) => `${text} (${url})` }
export const textAlone: Markup = { escapes: {}, link: (_, text) => text }

/** Template tag that joins words and linkable parts into a sentence: say`${person} pushed ${commits}`. */
export function say(words: TemplateStringsArray, ...values: (Part | Part[])[]): Part[] {
  const parts = words.flatMap((text, at) => [{ text }, ...[values[at] ?? []].flat()])
  return parts.filter(({ text }) => text !== '')
}

/**
 * Returns a sentence part with user-supplied text: only its first line, shortened to `maxLength` characters,
 * without control characters or bidirectional marks.
 */
export function part(text: string, url?: string, maxLength = 100): Part {
  const line = text
    .slice(0, maxLength * 8)
    .trimStart()
    .split(/[\n\v\f\r\u0085\u2028\u2029]/, 1)[0]!
  const shown = shorten(line.toWellFormed().replace(unseen, ' ').trim(), maxLength)
  const link = url === undefined ? undefined : linkable(url)
  return { text: shown, ...(link === undefined ? {} : { url: link }) }
}

// Control characters, bidirectional marks, and the byte order mark.
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

function shorten(text: string, maxLength: number): string {
  const letters = Array.from(text)
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength - 1).join('')}…`
}

const maxUrlLength = 1_000

/**
 * Returns a URL in a form that is safe in any markup; undefined if it is not an http or https URL or is
 * longer than 1,000 characters.
 */
export function linkable(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, origin, pathname, search, hash } = new URL(url)
  const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
  const link = origin + `${pathname}${search}${hash}`.replace(/["'()*<>[\\\]`{|}]/g, hex)
  return /^https?:$/.test(protocol) && link.length <= maxUrlLength ? link : undefined
}

/**
 * Renders sentence parts in the markup of a chat service. Truncates the result to `maxLength` UTF-16 code
 * units, with an ellipsis at the end.
 */
export function write(parts: readonly Part[], { escapes, link }: Markup, maxLength = Infinity): string {
  let written = ''
  for (const { text, url } of parts) {
    const escaped = Array.from(text, letter => escapes[letter] ?? letter)
    const whole = url === undefined ? escaped.join('') : link(url, escaped.join(''))
    if (written.length + whole.length <= maxLength) {
      written += whole
      continue
    }
    // Does not cut inside a link.
    for (const letter of escaped) {
      if (written.length + letter.length >= maxLength) break
      written += letter
    }
    return `${written}…`
  }
  return written
}

/** Renders as many lines as fit into `maxLength` UTF-16 code units, in the markup of a chat service. */
export function writeLines(
  lines: readonly Part[][],
  markup: Markup,
  separator = '\n',
  maxLength = 4_000,
): string {
  let written = ''
  for (const line of lines) {
    const next = (written && separator) + write(line, markup)
    if (written.length + next.length > maxLength) break
    written += next
  }
  return written
}
