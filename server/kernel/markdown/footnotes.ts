import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'

/** markdown-it environment with the footnotes of a text. */
type FootnoteEnv = { footnotes?: Footnotes }

interface Footnotes {
  defined: Set<string>
  /** By label, in the order of the first references. */
  used: Map<string, Used>
  references: number
}

interface Used {
  number: number
  references: number
}

// More are useless, and each one is much longer than its source.
const maxReferences = 1000
const maxLabelLength = 100
const label = /^\[\^([^\s[\]]{1,100})\]/

/**
 * markdown-it plugin for footnotes as on GitHub: `[^1]` in the text, and `[^1]: text` with further paragraphs
 * indented by four spaces. They are numbered in the order of their first reference and shown at the end.
 */
export function footnotes(markdown: MarkdownIt): void {
  const alt = ['paragraph', 'reference']
  markdown.block.ruler.before('reference', 'footnote', define, { alt })
  markdown.inline.ruler.after('image', 'footnote', refer)
  markdown.core.ruler.after('inline', 'footnotes', moveToEnd)
}

function footnotesOf(env: object): Footnotes {
  const own = env as FootnoteEnv
  own.footnotes ??= { defined: new Set(), used: new Map(), references: 0 }
  return own.footnotes
}

function labelAt(text: string, at: number): string | undefined {
  if (text[at] !== '[' || text[at + 1] !== '^') return undefined
  return label.exec(text.slice(at, at + maxLabelLength + 4))?.[1]
}

function define(state: StateBlock, line: number, endLine: number, isProbe: boolean): boolean {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const name = labelAt(state.src, start)
  const colon = start + (name?.length ?? 0) + 3
  if (name === undefined || state.src[colon] !== ':' || colon >= (state.eMarks[line] ?? 0)) return false
  if (isProbe) return true
  footnotesOf(state.env).defined.add(name.toLowerCase())
  const open = state.push('footnote_open', '', 1)
  open.meta = { name: name.toLowerCase() }
  parseContent(state, line, endLine, colon + 1)
  state.push('footnote_close', '', -1)
  return true
}

/** Parses what follows the colon as blocks whose lines are indented by four spaces. */
function parseContent(state: StateBlock, line: number, endLine: number, start: number): void {
  const before = {
    mark: state.bMarks[line] ?? 0,
    shift: state.tShift[line] ?? 0,
    count: state.sCount[line] ?? 0,
    parentType: state.parentType,
  }
  const content = state.skipSpaces(start)
  state.bMarks[line] = start
  state.tShift[line] = content - start
  state.blkIndent += 4
  state.sCount[line] = state.blkIndent
  state.parentType = 'footnote'
  state.md.block.tokenize(state, line, endLine)
  state.parentType = before.parentType
  state.blkIndent -= 4
  state.bMarks[line] = before.mark
  state.tShift[line] = before.shift
  state.sCount[line] = before.count
}

function refer(state: StateInline, isProbe: boolean): boolean {
  const all = footnotesOf(state.env)
  const { defined, used } = all
  if (defined.size === 0 || all.references >= maxReferences) return false
  const name = labelAt(state.src, state.pos)
  const known = name?.toLowerCase() ?? ''
  if (name === undefined || !defined.has(known)) return false
  if (!isProbe) {
    const entry = used.get(known) ?? { number: used.size + 1, references: 0 }
    entry.references++
    all.references++
    used.set(known, entry)
    addReference(state, entry)
  }
  state.pos += name.length + 3
  return true
}

const referenceId = ({ number }: Used, count: number): string =>
  `fnref-${number}${count > 1 ? `-${count}` : ''}`

function addReference(state: StateInline, entry: Used): void {
  state.push('sup_open', 'sup', 1)
  const link = state.push('link_open', 'a', 1)
  link.attrs = [
    ['href', `#fn-${entry.number}`],
    ['id', referenceId(entry, entry.references)],
    ['aria-label', `Footnote ${entry.number}`],
  ]
  state.push('text', '', 0).content = String(entry.number)
  state.push('link_close', 'a', -1)
  state.push('sup_close', 'sup', -1)
}

function moveToEnd(state: StateCore): void {
  const { footnotes } = state.env as FootnoteEnv
  if (!footnotes || footnotes.defined.size === 0) return
  const contents = new Map<string, Token[]>()
  const text: Token[] = []
  const open: Token[][] = []
  for (const token of state.tokens) {
    if (token.type === 'footnote_open') {
      const content: Token[] = []
      const { name } = token.meta as { name: string }
      // The first definition counts.
      if (!contents.has(name)) contents.set(name, content)
      open.push(content)
    } else if (token.type === 'footnote_close') open.pop()
    else (open.at(-1) ?? text).push(token)
  }
  state.tokens = text
  if (footnotes.used.size === 0) return
  const add = (type: string, tag: string, nesting: -1 | 0 | 1): Token => {
    const token = Object.assign(new state.Token(type, tag, nesting), { block: true })
    state.tokens.push(token)
    return token
  }
  add('hr', 'hr', 0)
  add('ordered_list_open', 'ol', 1).attrSet('class', 'footnotes')
  for (const [name, entry] of footnotes.used) {
    add('list_item_open', 'li', 1).attrSet('id', `fn-${entry.number}`)
    for (const token of contents.get(name) ?? []) state.tokens.push(token)
    addLinksBack(state, entry, add)
    add('list_item_close', 'li', -1)
  }
  add('ordered_list_close', 'ol', -1)
}

type Add = (type: string, tag: string, nesting: -1 | 0 | 1) => Token

/** Adds links to all references to the last paragraph of a footnote, or after it if it ends with something else. */
function addLinksBack(state: StateCore, entry: Used, add: Add): void {
  const links = Array.from({ length: entry.references }, (_, at) => linkBack(state, entry, at + 1)).flat()
  const paragraph = state.tokens.at(-1)?.type === 'paragraph_close' ? state.tokens.at(-2) : undefined
  if (paragraph?.children) paragraph.children = [...paragraph.children, ...links]
  else {
    add('paragraph_open', 'p', 1)
    add('inline', '', 0).children = links
    add('paragraph_close', 'p', -1)
  }
}

function linkBack({ Token }: StateCore, entry: Used, count: number): Token[] {
  const space = Object.assign(new Token('text', '', 0), { content: ' ' })
  const link = new Token('link_open', 'a', 1)
  link.attrs = [
    ['href', `#${referenceId(entry, count)}`],
    ['aria-label', `Back to reference ${entry.number}${count > 1 ? `-${count}` : ''}`],
  ]
  const text = Object.assign(new Token('text', '', 0), { content: '↩' })
  return [space, link, text, new Token('link_close', 'a', -1)]
}
