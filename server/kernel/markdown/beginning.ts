import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** Parser environment that limits the text to a number of displayed lines. */
export type BeginningEnv = {
  lines?: number
  /** Whether the text was longer. */
  isCut?: boolean
}

/** Sizes are in characters. Content that starts a new line uses up the rest of the previous one. */
export const lineWidth = 100
const imageLines = 6

/**
 * Cuts the parsed text after about `lines` lines and closes open elements. Text that is only slightly longer is kept
 * whole.
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

type Measure = (token: Token, before: Token | undefined, used: number) => number
type Shorten = (state: StateCore, token: Token, room: number) => Token | undefined

/** Keeps the tokens that fit, and as much as fits of the first that does not. Returns the same array if all fit. */
function cut(state: StateCore, tokens: Token[], room: number, sizeOf: Measure, shorten: Shorten): Token[] {
  let used = 0
  for (const [at, token] of tokens.entries()) {
    const size = sizeOf(token, tokens[at - 1], used)
    if (used + size > room) {
      const part = shorten(state, token, room - used)
      return closed(state, part ? [...tokens.slice(0, at), part] : tokens.slice(0, at))
    }
    used += size
  }
  return tokens
}

function closed({ Token }: StateCore, tokens: Token[]): Token[] {
  // Drop elements that were only opened, because they would be empty.
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

function blockSize({ type, content, children }: Token, before: Token | undefined): number {
  switch (type) {
    case 'inline':
      // The cells of a row share one line.
      if (before?.type === 'td_open' || before?.type === 'th_open') return 0
      return Math.ceil(widthOf(children ?? []) / lineWidth) * lineWidth
    case 'fence':
    case 'code_block':
    case 'html_block':
      return linesOf(content).length * lineWidth
    case 'tr_open':
    case 'heading_open':
    case 'hr':
      return lineWidth
    default:
      return 0
  }
}

function shorterBlock(state: StateCore, token: Token, room: number): Token | undefined {
  if (token.type === 'inline') {
    const children = cut(state, token.children ?? [], room, inlineSize, shorterText)
    const ellipsis = Object.assign(new state.Token('text', '', 0), { content: '…' })
    return children.length > 0 ? copyOf(state, token, { children: [...children, ellipsis] }) : undefined
  }
  const lines = linesOf(token.content).slice(0, Math.floor(room / lineWidth))
  return token.content && lines.length > 0
    ? copyOf(state, token, { content: `${lines.join('\n')}\n` })
    : undefined
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

const widthOf = (tokens: Token[]): number =>
  tokens.reduce((used, token) => used + inlineSize(token, undefined, used), 0)

function inlineSize({ type, content }: Token, _: Token | undefined, used: number): number {
  if (isBreak({ type })) return lineWidth - (used % lineWidth)
  return type === 'image' ? imageLines * lineWidth : content.length
}

const isBreak = ({ type }: Pick<Token, 'type'>): boolean => type === 'softbreak' || type === 'hardbreak'

function shorterText(state: StateCore, token: Token, room: number): Token | undefined {
  // Avoid cutting a word or a surrogate pair.
  const content = token.content.slice(0, room).replace(/\s+\S*$|[\ud800-\udbff]$/, '')
  return token.type === 'text' && content ? copyOf(state, token, { content }) : undefined
}

const copyOf = ({ Token }: StateCore, token: Token, change: Partial<Token>): Token =>
  Object.assign(new Token(token.type, token.tag, token.nesting), token, change)
