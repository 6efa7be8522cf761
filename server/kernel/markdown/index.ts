import { createHash } from 'node:crypto'
import MarkdownIt from 'markdown-it'
import { type BeginningEnv, beginning, lineWidth } from './beginning'
import { safeHtml } from './safe-html'
import { tasks } from './tasks'

/** A longer text is shown as it was written: to format it takes time in proportion. */
export const maxFormattedLength = 64 * 1024

/** How deep quotes, lists and tags may stand in each other; what is deeper is left out. */
const maxNesting = 50

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true, maxNesting })
  .use(tasks)
  .use(beginning)

/**
 * Formats a text that somebody wrote in Markdown as HTML that is safe to put into a page of the site at `baseUrl`. Of the
 * HTML in it stays what formats text. Headings begin at the third level.
 */
export function renderMarkdown(text: string, { baseUrl }: { baseUrl: string }): string {
  return format(text, { baseUrl }).html
}

/** Formats the beginning of a text in the same way: about so many lines, unless there is little more. */
export function renderBeginning(
  text: string,
  { baseUrl, lines }: { baseUrl: string; lines: number },
): Formatted {
  return format(text, { baseUrl, lines })
}

interface Formatted {
  html: string
  /** There is more of it. */
  isCut: boolean
}

function format(text: string, { baseUrl, lines }: { baseUrl: string; lines?: number }): Formatted {
  if (text.length > maxFormattedLength) {
    const shown =
      lines === undefined
        ? text
        : text
            .split('\n', lines)
            .join('\n')
            .slice(0, lines * lineWidth)
    const html = `<pre tabindex="0">${markdown.utils.escapeHtml(shown)}</pre>`
    return { html, isCut: shown.length < text.length }
  }
  const key = createHash('sha256').update(`${baseUrl}\n${lines}\n${text}`).digest('base64')
  const formatted = rendered.get(key) ?? formatAnew(text, baseUrl, lines)
  keep(key, formatted)
  return formatted
}

function formatAnew(text: string, baseUrl: string, lines: number | undefined): Formatted {
  const env: BeginningEnv = lines === undefined ? {} : { lines }
  const html = safeHtml(markdown.render(text, env), { baseUrl, maxNesting })
  return { html, isCut: env.isCut ?? false }
}

/** What was asked for last, the oldest first: a page of releases is looked at far more often than one is written. */
const rendered = new Map<string, Formatted>()
const keptCharacters = 4 * 1024 * 1024
let characters = 0

function keep(key: string, formatted: Formatted): void {
  if (rendered.delete(key)) characters -= formatted.html.length
  rendered.set(key, formatted)
  characters += formatted.html.length
  for (const [oldest, { html }] of rendered) {
    if (characters <= keptCharacters) return
    rendered.delete(oldest)
    characters -= html.length
  }
}
