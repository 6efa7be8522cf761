import { createHash } from 'node:crypto'
import MarkdownIt from 'markdown-it'
import { safeHtml } from './safe-html'
import { tasks } from './tasks'

/** A longer text is shown as it was written: to format it takes time in proportion. */
export const maxFormattedLength = 64 * 1024

/** How deep quotes, lists and tags may stand in each other; what is deeper is left out. */
const maxNesting = 50

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true, maxNesting }).use(tasks)

/**
 * Formats a text that somebody wrote in Markdown as HTML that is safe to put into a page of the site at `baseUrl`. Of the
 * HTML in it stays what formats text. Headings begin at the third level.
 */
export function renderMarkdown(text: string, { baseUrl }: { baseUrl: string }): string {
  if (text.length > maxFormattedLength) {
    return `<pre tabindex="0">${markdown.utils.escapeHtml(text)}</pre>`
  }
  const key = createHash('sha256').update(`${baseUrl}\n${text}`).digest('base64')
  const html = rendered.get(key) ?? safeHtml(markdown.render(text), { baseUrl, maxNesting })
  keep(key, html)
  return html
}

/** What was asked for last, the oldest first: a page of releases is looked at far more often than one is written. */
const rendered = new Map<string, string>()
const keptCharacters = 4 * 1024 * 1024
let characters = 0

function keep(key: string, html: string): void {
  if (rendered.delete(key)) characters -= html.length
  rendered.set(key, html)
  characters += html.length
  for (const [oldest, { length }] of rendered) {
    if (characters <= keptCharacters) return
    rendered.delete(oldest)
    characters -= length
  }
}
