import MarkdownIt from 'markdown-it'
import { alerts } from './alerts'
import { type CodeEnv, codeLanguages } from './code-languages'
import { emoji } from './emoji'
import { type FileMarkdownOptions, maxFileLength } from './file-options'
import { footnotes } from './footnotes'
import { headingAnchors } from './heading-anchors'
import { limitReferences } from './limit-references'
import { maxNesting } from './options'
import { type ReferenceEnv, references } from './references'
import { safeHtml } from './safe-html'
import { tasks } from './tasks'

const markdown = new MarkdownIt({ html: true, linkify: true, maxNesting })
  .use(limitReferences, 4 * maxFileLength)
  .use(footnotes)
  .use(tasks)
  .use(alerts)
  .use(references)
  .use(emoji)
  .use(headingAnchors)
  .use(codeLanguages)

/**
 * Renders an untrusted Markdown file of a repository as HTML that is safe to embed in a page of the site at `baseUrl`.
 * All identifiers have the prefix `user-content-`, code blocks name their grammar, and headings start at level three.
 * Can take seconds, so it runs in a thread.
 */
export function renderFile(text: string, { baseUrl, file, repository, people }: FileMarkdownOptions): string {
  const env: ReferenceEnv & CodeEnv = { repository, people, site: baseUrl, hasLanguages: true }
  const { matter, rest } = splitMatter(text)
  const html = safeHtml(markdown.render(rest, env), { baseUrl, maxNesting, hasLanguages: true, file })
  return matter === undefined ? html : `${shownMatter(matter)}\n${html}`
}

/** Splits off the properties that static site generators read from the beginning of a file. */
function splitMatter(text: string): { matter?: string; rest: string } {
  const begin = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0]
  if (begin === undefined) return { rest: text }
  for (let at = begin.length; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const next = found === -1 ? text.length : found + 1
    const line = text.slice(at, next).trimEnd()
    if (line === '---' || line === '...') {
      const matter = text.slice(begin.length, at)
      return isMatter(matter) ? { matter, rest: text.slice(next) } : { rest: text }
    }
    at = next
  }
  return { rest: text }
}

// A text between two horizontal rules is none.
const isMatter = (text: string): boolean => /^(?:\s*#[^\n]*\n)*\s*[\w.-]{1,100}:(?:\s|$)/.test(text)

const shownMatter = (matter: string): string =>
  `<details><summary>Front matter</summary><pre tabindex="0" data-language="yaml"><code>${markdown.utils.escapeHtml(matter)}</code></pre></details>`
