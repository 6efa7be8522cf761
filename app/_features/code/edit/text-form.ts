/** A text as it is edited, and what is needed to write it back as the file has it. */
export interface TextForm {
  /** Text whose lines end with `\n`, unless the file mixes line endings. */
  text: string
  lineEnd: 'lf' | 'crlf' | 'mixed'
  /** Whether the file begins with a byte order mark. */
  hasMark: boolean
}

const mark = '\ufeff'

/** Reads the text of a file. If the file mixes line endings, they all stay in the text. */
export function readTextForm(content: string): TextForm {
  const hasMark = content.startsWith(mark)
  const text = hasMark ? content.slice(1) : content
  const withReturn = text.split('\r\n').length - 1
  const returns = text.split('\r').length - 1
  const feeds = text.split('\n').length - 1
  if (returns === 0) return { text, lineEnd: 'lf', hasMark }
  if (withReturn === returns && withReturn === feeds)
    return { text: text.replaceAll('\r\n', '\n'), lineEnd: 'crlf', hasMark }
  return { text, lineEnd: 'mixed', hasMark }
}

/** Returns the content of a file with this text. */
export function writeTextForm(text: string, { lineEnd, hasMark }: Omit<TextForm, 'text'>): string {
  const ended = lineEnd === 'crlf' ? text.replaceAll('\n', '\r\n') : text
  return hasMark ? mark + ended : ended
}

const maxLinesRead = 2_000
const defaultIndent = '  '

/** Returns one level of indentation as most lines of a text have it: a tab, or two to eight spaces. */
export function indentOf(text: string): string {
  const counts = new Map<string, number>()
  let before = 0
  for (const line of text.split('\n', maxLinesRead)) {
    if (line.trim() === '') continue
    const [spaces = ''] = /^ */.exec(line) ?? []
    const step = spaces.length - before
    before = spaces.length
    const unit = line.startsWith('\t') ? '\t' : step >= 2 && step <= 8 ? ' '.repeat(step) : undefined
    if (unit) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? defaultIndent
}

const chunk = 0x8000

/** Encodes text as UTF-8 in Base64. */
export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunk)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(binary)
}

/** Decodes UTF-8 in Base64; undefined if it is something else. */
export function textOfBase64(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
