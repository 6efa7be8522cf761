import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const maxSlugLength = 200

/**
 * markdown-it plugin that gives headings GitHub's identifiers, such as `getting-started`, and a link to
 * themselves.
 */
export function headingAnchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading anchors', state => {
    const counts = new Map<string, number>()
    for (const [at, token] of state.tokens.entries()) {
      const line = state.tokens[at + 1]
      if (token.type !== 'heading_open' || !line?.children) continue
      const title = textOf(line.children)
      const slug = uniqueSlug(title, counts)
      if (!slug) continue
      token.attrSet('id', slug)
      line.children = [...line.children, ...linkTo(state, slug, title)]
    }
  })
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
    .slice(0, maxSlugLength)

function uniqueSlug(title: string, counts: Map<string, number>): string {
  const slug = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const count = counts.get(slug) ?? 0
  counts.set(slug, count + 1)
  return slug && count > 0 ? `${slug}-${count}` : slug
}

function linkTo({ Token }: StateCore, slug: string, title: string): Token[] {
  const link = new Token('link_open', 'a', 1)
  link.attrs = [
    ['href', `#${slug}`],
    ['class', 'anchor'],
    ['aria-label', `Permalink: ${title}`],
  ]
  const text = Object.assign(new Token('text', '', 0), { content: '#' })
  return [link, text, new Token('link_close', 'a', -1)]
}
