import type { MarkdownIt } from 'markdown-it'
import { grammarNamed } from '../rendering/language-of'

/** markdown-it environment that says whether code blocks name their grammar. */
export type CodeEnv = { hasLanguages?: boolean | undefined }

/** markdown-it plugin that marks code blocks with the grammar for the language after their fence. */
export function codeLanguages(markdown: MarkdownIt): void {
  const { escapeHtml } = markdown.utils
  markdown.renderer.rules.fence = (tokens, at, _options, env) => {
    const { info = '', content = '' } = tokens[at] ?? {}
    const [name = ''] = info
      .slice(0, 100)
      .trim()
      .split(/[\s,{:]/, 1)
    const id = (env as CodeEnv).hasLanguages ? grammarNamed(name) : undefined
    return `<pre${id ? ` data-language="${id}"` : ''}><code>${escapeHtml(content)}</code></pre>\n`
  }
}
