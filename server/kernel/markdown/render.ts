import { createHash } from 'node:crypto'
import MarkdownIt from 'markdown-it'
import { alerts } from './alerts'
import { type BeginningEnv, beginning, lineWidth } from './beginning'
import { type CodeEnv, codeLanguages } from './code-languages'
import { limitReferences } from './limit-references'
import { type MarkdownOptions, maxFormattedLength, maxNesting } from './options'
import { mentionsIn, type ReferenceEnv, references } from './references'
import { safeHtml } from './safe-html'
import { tasks } from './tasks'

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true, maxNesting })
  .use(limitReferences, 4 * maxFormattedLength)
  .use(tasks)
  .use(alerts)
  .use(references)
  .use(codeLanguages)
  .use(beginning)

/**
 * Renders untrusted Markdown as HTML that is safe to embed in a page of the site at `baseUrl`. Only HTML that formats
 * text is kept. Headings start at level three.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  return format(text, options).html
}

/**
 * Renders the beginning of a text like `renderMarkdown`: about `lines` lines, or all of it if it is only
 * slightly longer.
 */
export function renderBeginning(text: string, options: MarkdownOptions & { lines: number }): Formatted {
  return format(text, options)
}

interface Formatted {
  html: string
  /** Whether the text was cut. */
  isCut: boolean
}

function format(text: string, options: MarkdownOptions & { lines?: number }): Formatted {
  const { baseUrl, lines, repository, people, hasLanguages } = options
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
  const known = people && mentionsIn(text).filter(name => people.has(name))
  const key = createHash('sha256')
    .update([baseUrl, lines, repository, known, hasLanguages, text].join('\n'))
    .digest('base64')
  const formatted = rendered.get(key) ?? formatAnew(text, options)
  keep(key, formatted)
  return formatted
}

function formatAnew(
  text: string,
  { baseUrl, lines, repository, people, hasLanguages }: MarkdownOptions & { lines?: number },
): Formatted {
  const shown = lines === undefined ? {} : { lines }
  const env: BeginningEnv & ReferenceEnv & CodeEnv = { repository, people, hasLanguages, ...shown }
  const html = safeHtml(markdown.render(text, env), { baseUrl, maxNesting, hasLanguages })
  return { html, isCut: env.isCut ?? false }
}

/** Recently rendered texts, oldest first. Release pages are read far more often than written. */
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
