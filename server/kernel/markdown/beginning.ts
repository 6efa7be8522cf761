import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** What a text is parsed with to keep its beginning: how many lines, as they are shown. */
export type BeginningEnv = {
  lines?: number
  /** There was more. */
  isCut?: boolean
}

/** Sizes are characters; what begins a line takes the rest of the one before. */
export const lineWidth = 100
const imageLines = 6

/** Cuts what a text was parsed to after so many lines and closes what is open there. What has little more than that is kept whole. */
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

/** Keeps tokens for as long as there is room, and of the first that has too little as much as fits; all of them, if they fit. */
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
  // What has just begun would be empty.
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
      // The cells of a row stand beside each other.
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
  // Neither a word nor a character of two halves is cut, where that can be helped.
  const content = token.content.slice(0, room).replace(/\s+\S*$|[\ud800-\udbff]$/, '')
  return token.type === 'text' && content ? copyOf(state, token, { content }) : undefined
}

const copyOf = ({ Token }: StateCore, token: Token, change: Partial<Token>): Token =>
  Object.assign(new Token(token.type, token.tag, token.nesting), token, change)
