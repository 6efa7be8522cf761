import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/**
 * markdown-it environment that defines what a text can reference without a URL: accounts by `@name`, and
 * commits by ID.
 */
export type ReferenceEnv = {
  /** Path of the repository whose commits are recognized, such as `/ada/engine`. */
  repository?: string | undefined
  /** Lowercase names of accounts that have a page. */
  people?: ReadonlySet<string> | undefined
  /** URL before paths, for a text in which paths lead elsewhere. */
  site?: string | undefined
}

// More references in one text are useless, and each one is much longer than its source.
const maxReferences = 200

const reference = /(?<![\w@/.#=&-])(?:@([a-z0-9](?:[\w.-]{0,38}[a-z0-9])?)|([0-9a-f]{7,64}))(?![\w@/-])/gi

/** Returns the names that a text mentions as `@name`, in lowercase; at most 100. */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>()
  for (const [, name] of text.matchAll(reference)) {
    if (name) names.add(name.toLowerCase())
    if (names.size >= 100) break
  }
  return [...names]
}

/**
 * markdown-it plugin that turns `@name` into a link to the account, and a commit ID into a link to the commit,
 * shortened to ten digits and with the full ID as its title.
 */
export function references(markdown: MarkdownIt): void {
  markdown.core.ruler.push('references', state => {
    const env = state.env as ReferenceEnv
    if (!env.repository && !env.people) return
    let left = maxReferences
    for (const token of state.tokens) {
      if (token.type !== 'inline' || !token.children) continue
      let inLink = 0
      token.children = token.children.flatMap(child => {
        inLink += linkStep(child)
        if (child.type !== 'text' || inLink > 0 || left <= 0) return [child]
        const parts = split(state, child, env, left)
        left -= parts.filter(({ type }) => type === 'link_open').length
        return parts
      })
    }
  })
}

function linkStep({ type, content }: Token): number {
  if (type === 'link_open') return 1
  if (type === 'link_close') return -1
  if (type !== 'html_inline') return 0
  return /^<a[\s>]/i.test(content) ? 1 : /^<\/a\s*>/i.test(content) ? -1 : 0
}

function split(state: StateCore, token: Token, env: ReferenceEnv, most: number): Token[] {
  const { content } = token
  const parts: Token[] = []
  const add = (type: string, tag: string, nesting: 1 | 0 | -1, text = ''): Token => {
    const made = Object.assign(new state.Token(type, tag, nesting), { content: text, level: token.level })
    parts.push(made)
    return made
  }
  let at = 0
  let count = 0
  for (const found of content.matchAll(reference)) {
    const [all, name, sha] = found
    const isKnown = name ? env.people?.has(name.toLowerCase()) : env.repository && isCommitId(sha)
    if (!isKnown || count >= most) continue
    count++
    if (found.index > at) add('text', '', 0, content.slice(at, found.index))
    if (name) {
      add('link_open', 'a', 1).attrSet('href', `${env.site ?? ''}/${name}`)
      add('text', '', 0, all)
      add('link_close', 'a', -1)
    } else {
      add('link_open', 'a', 1).attrSet('href', `${env.site ?? ''}${env.repository}/commit/${all}`)
      add('code_inline', 'code', 0, all.slice(0, 10)).attrSet('title', all)
      add('link_close', 'a', -1)
    }
    at = found.index + all.length
  }
  if (at === 0) return [token]
  if (at < content.length) add('text', '', 0, content.slice(at))
  return parts
}

/** A number or a word of these letters is not a commit ID unless it has the full length. */
function isCommitId(sha = ''): boolean {
  const isWhole = sha.length === 40 || sha.length === 64
  return sha === sha.toLowerCase() && (isWhole || (/\d/.test(sha) && /[a-f]/.test(sha)))
}
