import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** markdown-it environment that limits the rendered text to a number of displayed lines. */
export type BeginningEnv = {
  lines?: number
  /** Whether the text was cut. */
  isCut?: boolean
}

/**
 * Width of a displayed line, in characters. Content that starts a new line uses up the rest of the previous line.
 */
export const lineWidth = 100
const imageLines = 6

/** Number of undisplayed characters, such as those of a link's URL, that count as one displayed character. */
const hiddenPerSize = 10

/**
 * markdown-it plugin that truncates the parsed text after about `lines` displayed lines and closes open
 * elements. A text that is only slightly longer is kept in full.
 */
export function beginning(markdown: MarkdownIt): void {
  markdown.core.ruler.push('beginning', state => {
    const env = state.env as BeginningEnv
    if (env.lines === undefined) return
    const room = env.lines * lineWidth
    const cutBlocks = (most: number): Token[] => cut(state, state.tokens, most, blockSize, shorterBlock)
    env.isCut = cutBlocks(room * 1.25) !== state.tokens
    if (env.isCut) state.tokens = cutBlocks(room)
  })
}

type Measure = (tokens: readonly Token[], at: number, used: number) => number
type Shorten = (state: StateCore, token: Token, room: number) => Token | undefined

/**
 * Returns the tokens that fit, with as much as fits of the first one that does not, or the same array if all
 * fit.
 */
function cut(state: StateCore, tokens: Token[], room: number, sizeOf: Measure, shorten: Shorten): Token[] {
  let used = 0
  for (const [at, token] of tokens.entries()) {
    const size = sizeOf(tokens, at, used)
    if (used + size > room) {
      const part = shorten(state, token, room - used)
      return closed(state, part ? [...tokens.slice(0, at), part] : tokens.slice(0, at))
    }
    used += size
  }
  return tokens
}

function closed({ Token }: StateCore, tokens: Token[]): Token[] {
  // Elements that were only opened would be empty.
  const kept = tokens.slice(0, tokens.findLastIndex(token => token.nesting !== 1 && !isBreak(token)) + 1)
  const open: Token[] = []
  for (const token of kept) {
    if (token.nesting === 1) open.push(token)
    else if (token.nesting === -1) open.pop()
  }
  const ends = open.reverse().map(({ type, tag, block, hidden }) => {
    const end = new Token(type.replace(/_open$/, '_close'), tag, -1)
    return Object.assign(end, { block, hidden })
  })
  return [...kept, ...ends]
}

function blockSize(tokens: readonly Token[], at: number): number {
  const token = tokens[at] as Token
  const before = tokens[at - 1]
  switch (token.type) {
    case 'inline':
      return isCell(before) ? 0 : wholeLines(widthOf(token))
    case 'fence':
    case 'code_block':
    case 'html_block':
      return linesOf(token).reduce((size, line) => size + lineSize(line), 0)
    case 'tr_open':
      return rowSize(tokens, at)
    case 'heading_open':
    case 'hr':
      return lineWidth
    default:
      // An empty list item or quote takes a line too.
      return token.nesting === -1 && before?.nesting === 1 ? lineWidth : 0
  }
}

const wholeLines = (size: number): number => Math.ceil(size / lineWidth) * lineWidth
const lineSize = (line: string): number => Math.max(lineWidth, wholeLines(line.length))
const isCell = (token: Token | undefined): boolean => token?.type === 'td_open' || token?.type === 'th_open'

/**
 * Returns the size of a table row, which is as high as its highest cell. Empty cells count too, because a row
 * can have thousands.
 */
function rowSize(tokens: readonly Token[], start: number): number {
  let highest = lineWidth
  let hidden = 0
  for (let at = start + 1; tokens[at] && tokens[at]?.type !== 'tr_close'; at++) {
    const cell = tokens[at] as Token
    if (cell.type !== 'inline') continue
    highest = Math.max(highest, widthOf(cell))
    hidden += 4 + cell.content.length / hiddenPerSize
  }
  return wholeLines(Math.max(highest, hidden))
}

function shorterBlock(state: StateCore, token: Token, room: number): Token | undefined {
  if (token.type === 'inline') {
    const children = cut(state, token.children ?? [], room, inlineSize, shorterText)
    const ellipsis = Object.assign(new state.Token('text', '', 0), { content: '…' })
    return children.length > 0 ? copyOf(state, token, { children: [...children, ellipsis] }) : undefined
  }
  const lines: string[] = []
  let left = Math.floor(room / lineWidth) * lineWidth
  for (const line of linesOf(token)) {
    if (left === 0) break
    lines.push(line.slice(0, left).replace(halfCharacter, ''))
    left = Math.max(0, left - lineSize(line))
  }
  const content = lines.join('\n')
  const kept = token.type === 'html_block' ? content.replace(/<[^<>]*$/, '') : content
  return kept ? copyOf(state, token, { content: `${kept}\n` }) : undefined
}

function linesOf({ type, content }: Token): string[] {
  if (type !== 'html_block') return content.replace(/\n$/, '').split('\n')
  const shown = content.replace(/<!--.*?(-->|$)/gs, '').replace(/\n$/, '')
  return shown ? shown.split('\n') : []
}

function widthOf({ children }: Token): number {
  const tokens = children ?? []
  return tokens.reduce((used, _, at) => used + inlineSize(tokens, at, used), 0)
}

function inlineSize(tokens: readonly Token[], at: number, used: number): number {
  const { type, content, nesting, attrs } = tokens[at] as Token
  if (isBreak({ type })) return lineWidth - (used % lineWidth)
  const isComment = type === 'html_inline' && content.startsWith('<!--')
  if (isComment) return 0
  const hidden = (attrs ?? []).reduce((size, [, value]) => size + String(value).length, 0) / hiddenPerSize
  const markup = Math.ceil(hidden) + (nesting === 1 ? 1 : 0)
  return markup + (type === 'image' ? Math.max(imageLines * lineWidth, content.length) : content.length)
}

const isBreak = ({ type }: Pick<Token, 'type'>): boolean => type === 'softbreak' || type === 'hardbreak'

function shorterText(state: StateCore, token: Token, room: number): Token | undefined {
  const content = token.content
    .slice(0, room)
    .replace(/\s+\S*$/, '')
    .replace(halfCharacter, '')
  const isText = token.type === 'text' || token.type === 'code_inline'
  return isText && content ? copyOf(state, token, { content }) : undefined
}

const halfCharacter = /[\ud800-\udbff]$/

const copyOf = ({ Token }: StateCore, token: Token, change: Partial<Token>): Token =>
  Object.assign(new Token(token.type, token.tag, token.nesting), token, change)
