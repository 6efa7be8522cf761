import type { FileMarkdownOptions } from '../../markdown/file-options'
import { renderFile } from '../../markdown/render-file'
import { type CodeBlock, codeBlocksIn, withCode } from '../code-blocks'
import { maxHighlightedLength, maxLineLength } from '../limits'
import type { Lines } from '../lines'
import { markInvisible } from '../mark-invisible'
import { highlight } from './highlight'

// In characters: copying a longer result would block the main thread.
const maxResult = 4 * 1024 * 1024

/** Operations that the thread offers. Inputs and results are plain data. */
export const operations = {
  /** Returns the highlighted lines of a text without carriage returns; undefined if that fails. */
  highlight: ({ text, language }: CodeBlock): Promise<Lines | undefined> => highlight(text, language),

  /** Returns the highlighted code of each block; undefined for those that cannot be highlighted. */
  highlightBlocks: ({ blocks }: { blocks: readonly CodeBlock[] }): Promise<(string | undefined)[]> =>
    highlightBlocks(blocks),

  /** Returns a Markdown file as HTML with highlighted code and marked invisible characters; undefined if the HTML is too long. */
  async renderFile({
    text,
    options,
  }: {
    text: string
    options: FileMarkdownOptions
  }): Promise<string | undefined> {
    const html = renderFile(text, options)
    if (html.length > maxResult) return undefined
    const result = withCode(html, await highlightBlocks(codeBlocksIn(html)))
    return markInvisible(result.length > maxResult ? html : result)
  },
}

export type Operations = typeof operations

async function highlightBlocks(blocks: readonly CodeBlock[]): Promise<(string | undefined)[]> {
  const results: (string | undefined)[] = []
  let left = maxHighlightedLength
  for (const { text, language } of blocks) {
    left -= text.length
    const isWithin = left >= 0 && text.split('\n').every(({ length }) => length <= maxLineLength)
    const found = isWithin ? await highlight(text, language) : undefined
    results.push(found && `${found.lines.join('\n')}\n`)
  }
  return results
}
