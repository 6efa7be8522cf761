import type { MarkdownIt, Token } from 'markdown-it'

const titles = { NOTE: 'Note', TIP: 'Tip', IMPORTANT: 'Important', WARNING: 'Warning', CAUTION: 'Caution' }

/** CSS classes of GitHub-style alerts, such as notes and warnings. */
export const alertClasses = ['alert', ...Object.keys(titles).map(kind => `alert-${kind.toLowerCase()}`)]

const mark = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/i

/**
 * markdown-it plugin that renders GitHub-style alerts: block quotes whose first line is `[!NOTE]` or one of
 * four other markers, with a title.
 */
export function alerts(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'alerts', state => {
    const made: Token[] = []
    for (const [at, token] of state.tokens.entries()) {
      const quote = state.tokens[at - 2]
      const isFirst = quote?.type === 'blockquote_open' && state.tokens[at - 1]?.type === 'paragraph_open'
      const kind = isFirst && quote.level === 0 ? kindOf(token) : undefined
      if (quote && kind) {
        quote.attrJoin('class', `alert alert-${kind.toLowerCase()}`)
        // Removes the marker and the line break after it.
        token.children = (token.children ?? []).slice(2)
        const isAlone = token.children.length === 0
        const title = Object.assign(new state.Token('text', '', 0), { content: titles[kind] })
        const line = Object.assign(new state.Token('inline', '', 0), {
          content: titles[kind],
          children: [title],
        })
        const [open, close] = [
          new state.Token('paragraph_open', 'p', 1),
          new state.Token('paragraph_close', 'p', -1),
        ]
        for (const each of [open, line, close]) Object.assign(each, { block: true, level: 1 })
        open.attrJoin('class', 'alert-title')
        // If the marker is a paragraph of its own, the title replaces the paragraph.
        made.splice(-1, isAlone ? 1 : 0, open, line, ...(isAlone ? [] : [close]))
        if (isAlone) continue
      }
      made.push(token)
    }
    state.tokens = made
  })
}

function kindOf({ type, children }: Token): keyof typeof titles | undefined {
  const [first, second] = children ?? []
  if (type !== 'inline' || first?.type !== 'text') return undefined
  if (second && second.type !== 'softbreak' && second.type !== 'hardbreak') return undefined
  return mark.exec(first.content)?.[1]?.toUpperCase() as keyof typeof titles | undefined
}
