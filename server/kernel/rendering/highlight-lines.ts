import type { Client } from '../fair-limit'
import { singleton } from '../singleton'
import { type Ask, askTextThread, type Plain } from './ask'
import { createKeptResults } from './kept'
import { maxHighlightedLength, maxLineLength } from './limits'
import { createLineWriter, type Lines } from './lines'

/** Lines of a file as HTML, and why they are not highlighted although the language is known. */
export interface HighlightedLines extends Lines {
  plain?: Plain
}

interface HighlightOptions {
  /** Identifies the text, such as the id of its blob; without it, nothing is kept. */
  key?: string
  client?: Client
  /** Replaced in tests. */
  ask?: Ask
}

const maxCacheSize = 16 * 1024 * 1024
// In characters, for a line's own object.
const sizePerLine = 24

const keptLines = () =>
  singleton('highlighted-lines', () => ({
    cache: createKeptResults<HighlightedLines>(maxCacheSize),
    asked: new Map<string, Promise<HighlightedLines>>(),
  }))

/**
 * Returns the lines of an untrusted text as HTML that is safe to embed, highlighted by the thread if a grammar for
 * the language is known and no limit is reached. Invisible characters that reorder or hide code are marked. Lines are
 * without their line break; the last one is left out if it is empty.
 */
export async function highlightLines(
  text: string,
  language: string | undefined,
  { key, client, ask = askTextThread }: HighlightOptions = {},
): Promise<HighlightedLines> {
  const plain = limitOf(text)
  if (language === undefined || plain)
    return await plainLines(text, language === undefined ? undefined : plain)
  const highlighted = () => highlight(text, language, ask, client)
  if (key === undefined) return await highlighted()
  const { cache, asked } = keptLines()
  const id = `${key} ${language}`
  const known = cache.get(id) ?? asked.get(id)
  if (known) return await known
  const answer = highlighted().finally(() => asked.delete(id))
  asked.set(id, answer)
  const result = await answer
  cache.keep(id, result, sizeOf(result))
  return result
}

async function highlight(
  text: string,
  language: string,
  ask: Ask,
  client: Client | undefined,
): Promise<HighlightedLines> {
  const answer = await ask('highlight', { text: withLineFeeds(text), language }, { client })
  if ('plain' in answer) return await plainLines(text, answer.plain)
  return answer.result ?? (await plainLines(text))
}

function limitOf(text: string): Plain | undefined {
  if (text.length > maxHighlightedLength) return 'too large'
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end
    if (next - at > maxLineLength) return 'long lines'
    at = next + 1
  }
  return undefined
}

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')
// In characters. Small enough that other requests hardly wait.
const chunk = 128 * 1024

/** Returns the lines of an untrusted text as HTML without highlighting it. */
export async function plainLines(text: string, plain?: Plain): Promise<HighlightedLines> {
  const shown = withLineFeeds(text)
  const writer = createLineWriter(shown)
  for (let at = chunk; at < shown.length; at += chunk) {
    const isPair = /[\ud800-\udbff]/.test(shown[at - 1] ?? '')
    writer.add(isPair ? at - 1 : at, '')
    await new Promise(resolve => setImmediate(resolve))
  }
  writer.add(shown.length, '')
  const lines = writer.finish()
  return plain ? { ...lines, plain } : lines
}

const sizeOf = ({ lines }: HighlightedLines): number =>
  lines.reduce((size, { length }) => size + length + sizePerLine, 0)
