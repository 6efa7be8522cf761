import type { MarkdownIt } from 'markdown-it'
// @ts-expect-error The package has no types for its data.
import names from 'markdown-it-emoji/lib/data/full.mjs'

const byName = new Map(Object.entries(names as Record<string, string>))
const shortName = /(?<!\w):([a-z0-9_+-]{1,40}):(?!\w)/g

/** markdown-it plugin that replaces GitHub's short names of emoji, such as `:tada:`. */
export function emoji(markdown: MarkdownIt): void {
  markdown.core.ruler.push('emoji', ({ tokens }) => {
    for (const { children } of tokens)
      for (const token of children ?? [])
        if (token.type === 'text')
          token.content = token.content.replace(shortName, (all, name: string) => byName.get(name) ?? all)
  })
}
