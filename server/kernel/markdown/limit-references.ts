import type { MarkdownIt } from 'markdown-it'

/**
 * markdown-it plugin that removes the URLs of links after their total length exceeds `max`. A short link
 * definition can be used thousands of times, so a small text could become hundreds of megabytes of HTML.
 */
export function limitReferences(markdown: MarkdownIt, max: number): void {
  markdown.core.ruler.after('inline', 'references', ({ tokens }) => {
    let total = 0
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      for (const [, value] of token.attrs ?? []) total += String(value).length
      if (total > max) token.attrs = (token.attrs ?? []).map(([name]) => [name, ''])
    }
  })
}
