import { plainLine, type Span } from './ansi'
import { readLine } from './line'

/** Returns a case-insensitive pattern that matches a text literally. */
export function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'gi')
}

const maxFound = 10_000
const blockRows = 1000

/**
 * Creates a search for the rows whose visible text has a match. Calling it with a number of rows returns the
 * first 10,000 of them. It can be called repeatedly while a log is loading: complete blocks of rows are
 * searched only once.
 */
export function createLogSearch(
  contentOf: (row: number) => string | undefined,
  pattern: RegExp,
): (rows: number) => number[] {
  const blocks: { found: number[]; isDone: boolean }[] = []

  const search = (from: number, to: number): (typeof blocks)[number] => {
    const found: number[] = []
    let isDone = to - from === blockRows
    for (let row = from; row < to; row++) {
      const content = contentOf(row)
      if (content === undefined) isDone = false
      else if (matches(pattern, content)) found.push(row)
    }
    return { found, isDone }
  }

  return rows => {
    const found: number[] = []
    for (let from = 0; from < rows && found.length < maxFound; from += blockRows) {
      const blockIndex = from / blockRows
      const known = blocks[blockIndex]
      const block = known?.isDone ? known : search(from, Math.min(from + blockRows, rows))
      blocks[blockIndex] = block
      found.push(...block.found)
    }
    return found.slice(0, maxFound)
  }
}

function matches(pattern: RegExp, content: string): boolean {
  pattern.lastIndex = 0
  return pattern.test(plainLine(readLine(content).text))
}

/** A span that matches entirely or not at all. */
export interface MarkedSpan extends Span {
  isMatch?: boolean
}

const maxMarks = 1000

/** Splits spans at the start and end of matches, which can span several of them. */
export function markMatches(spans: readonly Span[], pattern: RegExp): MarkedSpan[] {
  const found = matchesIn(spans.map(({ text }) => text).join(''), pattern)
  if (found.length === 0) return [...spans]
  const marked: MarkedSpan[] = []
  let start = 0
  let next = 0
  for (const span of spans) {
    const end = start + span.text.length
    for (let at = start; at < end; ) {
      while ((found[next]?.to ?? end) <= at && next < found.length) next++
      const match = found[next]
      const isMatch = match !== undefined && match.from <= at
      const to = Math.min(end, isMatch ? match.to : (match?.from ?? end))
      const part = { ...span, text: span.text.slice(at - start, to - start) }
      marked.push(isMatch ? { ...part, isMatch } : part)
      at = to
    }
    start = end
  }
  return marked
}

function matchesIn(text: string, pattern: RegExp): { from: number; to: number }[] {
  const matches: { from: number; to: number }[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && matches.length < maxMarks; match = pattern.exec(text)) {
    if (match[0] === '') break
    matches.push({ from: match.index, to: match.index + match[0].length })
  }
  return matches
}
