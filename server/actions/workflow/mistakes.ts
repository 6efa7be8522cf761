import type { TemplateValidationError } from '@actions/workflow-parser/templates/template-validation-error'
import { isMap, isNode, isScalar, isSeq, type Node, visit } from 'yaml'
import { unprocessable } from '@/server/kernel/errors'
import { storable } from './expressions'
import type { parseModest } from './limits'
import { at } from './refusal'
import { hintFor } from './suggestions'

/** Maximum number of mistakes in a message. */
export const shownMistakes = 5

/**
 * Requires that the document is valid YAML.
 * @throws {DomainError} unprocessable with line, column and problem of the first mistakes.
 */
export function requireYaml({ parsed, lines }: ReturnType<typeof parseModest>): void {
  const found = parsed.errors.slice(0, shownMistakes)
  if (found.length === 0) return
  const described = found.map(({ message, pos: [start] }) => {
    const { line, col } = lines.linePos(start)
    return `line ${line}, column ${col}: ${message}`
  })
  throw unprocessable(described.join('\n'), { field: 'workflow' })
}

/** Mistake in one event of a workflow, which keeps only this event from starting it. */
export interface EventMistake {
  event: string
  /** Index of the entry of `on.schedule` that has the mistake. */
  entry?: number
  message: string
}

/**
 * Separates the mistakes that GitHub's parser found in single events of a workflow, which keep only that event
 * from starting it, from all others.
 */
export function splitMistakes(
  { parsed, lines }: ReturnType<typeof parseModest>,
  errors: readonly TemplateValidationError[],
): { ofEvents: EventMistake[]; others: TemplateValidationError[] } {
  const on = isMap(parsed.contents) ? parsed.contents.get('on', true) : undefined
  const spans = isNode(on) && !hasAnchor(on) ? spansOf(on) : []
  const ofEvents: EventMistake[] = []
  const others: TemplateValidationError[] = []
  for (const error of errors) {
    const start = error.range?.start
    const offset = start ? (lines.lineStarts[start.line - 1] ?? 0) + start.column - 1 : -1
    const span = spans.find(({ from, to }) => from <= offset && offset < to)
    if (span) ofEvents.push({ ...span.of, message: describeMistake(error) })
    else others.push(error)
  }
  return { ofEvents, others }
}

// A mistake in an alias has the position of its anchor, so it would be taken for one in the event.
function hasAnchor(on: Node): boolean {
  let isFound = false
  visit(on, {
    Node(_, node) {
      if (!('anchor' in node) || node.anchor === undefined) return undefined
      isFound = true
      return visit.BREAK
    },
  })
  return isFound
}

/** Returns the message of a mistake with its position and a suggestion. */
export function describeMistake({ rawMessage, range }: TemplateValidationError): string {
  return range ? at({ range }, `${rawMessage}${hintFor(rawMessage)}`) : rawMessage
}

const maxListed = 20
const maxMessageLength = 300

/**
 * Returns different messages that are short enough to be stored with each run, at most 20, in the order of the
 * lines that they are about.
 */
export function shortMessages(messages: readonly string[]): string[] {
  const first = [...messages].sort((a, b) => offsetOf(a) - offsetOf(b)).slice(0, maxListed)
  return [...new Set(first.map(text => storable(text.slice(0, maxMessageLength))))]
}

// A file has fewer characters than this.
const lineLength = 1_000_000

function offsetOf(message: string): number {
  const [, line = 0, column = 0] = /^line (\d+), column (\d+)/.exec(message) ?? []
  return Number(line) * lineLength + Number(column)
}

interface Span {
  of: Pick<EventMistake, 'event' | 'entry'>
  /** Offsets in the document. */
  from: number
  to: number
}

function spansOf(on: unknown): Span[] {
  if (isSeq(on)) return on.items.flatMap(item => spanOf({ event: textOf(item) }, item))
  if (!isMap(on)) return spanOf({ event: textOf(on) }, on)
  return on.items.flatMap(({ key, value }): Span[] => {
    const event = textOf(key)
    const entries = event === 'schedule' && isSeq(value) ? value.items : []
    return [
      ...entries.flatMap((item, entry) => spanOf({ event, entry }, item)),
      ...spanOf({ event }, key, value),
    ]
  })
}

function spanOf(of: Span['of'], first: unknown, last: unknown = first): Span[] {
  const [from] = (isNode(first) && first.range) || []
  const to = (isNode(last) && last.range?.[2]) || (isNode(first) && first.range?.[2])
  return from === undefined || typeof to !== 'number' ? [] : [{ of, from, to }]
}

const textOf = (node: unknown): string => (isScalar(node) ? String(node.value) : '')
