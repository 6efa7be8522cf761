/** Kind of a log line, which determines how it is shown. */
export type LineKind =
  | 'text'
  | 'error'
  | 'warning'
  | 'notice'
  | 'debug'
  | 'command'
  | 'section'
  | 'group'
  | 'endgroup'

/** A parsed log line. `text` no longer contains the command, and can have several lines. */
export interface LogLine {
  kind: LineKind
  text: string
  /** Location that the message is about, such as "app.ts:12:5". Usually empty. */
  location: string
  /** Title of the message. Usually empty. */
  title: string
}

const kinds: readonly LineKind[] = [
  'error',
  'warning',
  'notice',
  'debug',
  'command',
  'section',
  'group',
  'endgroup',
]
const ofColons: readonly LineKind[] = ['error', 'warning', 'notice', 'debug', 'group', 'endgroup']

/** Parses a line as a runner stored it, including a workflow command at its start. */
export function readLine(content: string): LogLine {
  return readCommand(content.trimStart()) ?? { kind: 'text', text: content, location: '', title: '' }
}

/** Returns the kind of a line without parsing all of it. */
export function kindOf(content: string): LineKind {
  const start = content.trimStart()
  return isMarked(start) ? (readCommand(start)?.kind ?? 'text') : 'text'
}

const isMarked = (content: string): boolean => content.startsWith('::') || content.startsWith('##[')

function readCommand(content: string): LogLine | undefined {
  if (content.startsWith('::'))
    return readParts(content.slice(2), content.indexOf('::', 2) - 2, 2, ',', ofColons, colonCodes)
  if (content.startsWith('##['))
    return readParts(content.slice(3), content.indexOf(']') - 3, 1, ';', kinds, bracketCodes)
  return undefined
}

function readParts(
  content: string,
  headLength: number,
  markLength: number,
  separator: string,
  known: readonly LineKind[],
  codes: readonly (readonly [string, string])[],
): LogLine | undefined {
  if (headLength < 0) return undefined
  const head = content.slice(0, headLength)
  const space = head.indexOf(' ')
  const word = (space < 0 ? head : head.slice(0, space)).toLowerCase()
  const kind = known.find(one => one === word)
  if (!kind) return undefined
  const properties = space < 0 ? {} : readProperties(head.slice(space + 1), separator, codes)
  return { kind, text: decoded(content.slice(headLength + markLength), codes), ...about(properties) }
}

const maxProperties = 20

function readProperties(
  text: string,
  separator: string,
  codes: readonly (readonly [string, string])[],
): Record<string, string> {
  const pairs = text.split(separator, maxProperties).map(pair => {
    const equals = pair.indexOf('=')
    return equals < 0
      ? []
      : [pair.slice(0, equals).trim().toLowerCase(), decoded(pair.slice(equals + 1), codes)]
  })
  return Object.fromEntries(pairs.filter(({ length }) => length === 2))
}

function about({ file = '', line = '', col = '', title = '' }: Record<string, string>): {
  location: string
  title: string
} {
  return { location: file && [file, line, col].filter(Boolean).join(':'), title }
}

const common = [
  ['%25', '%'],
  ['%0D', '\r'],
  ['%0A', '\n'],
] as const
const colonCodes = [...common, ['%3A', ':'], ['%2C', ',']] as const
const bracketCodes = [...common, ['%3B', ';'], ['%5D', ']']] as const

function decoded(text: string, codes: readonly (readonly [string, string])[]): string {
  if (!text.includes('%')) return text
  return text.replace(
    /%[0-9A-F]{2}/gi,
    code => codes.find(([from]) => from === code.toUpperCase())?.[1] ?? code,
  )
}
