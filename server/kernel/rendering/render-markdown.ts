import { createHash } from 'node:crypto'
import type { Client } from '../fair-limit'
import { type FileMarkdownOptions, maxFileLength } from '../markdown/file-options'
import { mentionsIn } from '../markdown/references'
import { singleton } from '../singleton'
import { type Ask, askTextThread, type Plain } from './ask'
import { codeBlocksIn, withCode } from './code-blocks'
import { plainLines } from './highlight-lines'
import { createKeptResults } from './kept'
import { hasMarks, markInvisible } from './mark-invisible'

/** A Markdown file as HTML, and why it is its plain source, if it is. */
export interface RenderedFile {
  html: string
  /** Whether invisible characters are marked. */
  hasInvisible: boolean
  plain?: Plain
}

// Parsing takes longer than highlighting a text of the same length.
const deadlineMs = 2_000
const maxCacheSize = 8 * 1024 * 1024

const kept = () => singleton('rendered-files', () => createKeptResults<RenderedFile>(maxCacheSize))

/**
 * Renders an untrusted Markdown file in the thread as HTML that is safe to embed, with highlighted code. Its
 * identifiers have the prefix `user-content-`, its headings start at level three, invisible characters are marked, and
 * its source is shown as plain text if a limit is reached.
 */
export async function renderFileMarkdown(
  text: string,
  options: FileMarkdownOptions,
  { client, ask = askTextThread }: { client?: Client; ask?: Ask } = {},
): Promise<RenderedFile> {
  if (text.length > maxFileLength) return await plainSource(text, 'too large')
  const people = new Set(options.people && mentionsIn(text).filter(name => options.people?.has(name)))
  const key = keyOf(JSON.stringify({ ...options, people: [...people] }), text)
  const known = kept().get(key)
  if (known) return known
  const answer = await ask('renderFile', { text, options: { ...options, people } }, { deadlineMs, client })
  const rendered =
    'plain' in answer
      ? await plainSource(text, answer.plain)
      : answer.result === undefined
        ? await plainSource(text, 'too large')
        : { html: answer.result, hasInvisible: hasMarks(answer.result) }
  kept().keep(key, rendered, rendered.html.length)
  return rendered
}

/**
 * Marks invisible characters in safe HTML, and highlights the code blocks that name their grammar, in the thread. They
 * stay plain if a limit is reached.
 */
export async function highlightBlocks(html: string, ask: Ask = askTextThread): Promise<string> {
  const blocks = codeBlocksIn(html)
  if (blocks.length === 0) return markInvisible(html)
  const key = keyOf('blocks', html)
  const known = kept().get(key)
  if (known) return known.html
  const answer = await ask('highlightBlocks', { blocks })
  const reason = 'plain' in answer ? { plain: answer.plain } : {}
  const highlighted = markInvisible(withCode(html, 'plain' in answer ? [] : answer.result))
  const result = { html: highlighted, hasInvisible: hasMarks(highlighted), ...reason }
  kept().keep(key, result, result.html.length)
  return result.html
}

const keyOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64')

async function plainSource(text: string, plain: Plain): Promise<RenderedFile> {
  const { lines, hasInvisible } = await plainLines(text)
  return { html: `<pre tabindex="0">${lines.join('\n')}</pre>`, hasInvisible, plain }
}
