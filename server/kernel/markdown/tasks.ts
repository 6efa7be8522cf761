import type { MarkdownIt } from 'markdown-it'

const box = /^\[([ xX])\] /

/** markdown-it plugin that renders list items starting with `[ ]` or `[x]` as open and completed tasks. */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'tasks', ({ tokens }) => {
    tokens.forEach((token, at) => {
      const item = tokens[at - 2]
      const first = token.children?.[0]
      if (item?.type !== 'list_item_open' || first?.type !== 'text') return
      const mark = box.exec(first.content)?.[1]
      if (mark === undefined) return
      item.attrJoin('class', 'task')
      first.content = `${mark === ' ' ? '☐' : '☑'} ${first.content.slice(4)}`
    })
  })
}
