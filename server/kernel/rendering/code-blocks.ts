import { escapeText } from './lines'

/** Code in a rendered text, and the grammar that its fence names. */
export interface CodeBlock {
  text: string
  language: string
}

// As safe-html.ts writes them. The name is removed in any case.
const block = /<pre tabindex="0" data-language="([a-z\d-]{1,40})">(?:<code>([^<]*)<\/code><\/pre>)?/g

/** Returns the code blocks of safe HTML that name a grammar. */
export function codeBlocksIn(html: string): CodeBlock[] {
  return [...html.matchAll(block)].flatMap(([, language = '', code]) =>
    code === undefined ? [] : { language, text: plainText(code) },
  )
}

/**
 * Returns safe HTML with the highlighted code of each block that `codeBlocksIn` returns, in its order. A block
 * stays as it is if its code is undefined.
 */
export function withCode(html: string, highlighted: readonly (string | undefined)[]): string {
  let at = 0
  return html.replace(block, (_all, _language, code: string | undefined) => {
    const begin = '<pre tabindex="0">'
    if (code === undefined) return begin
    return `${begin}<code>${highlighted[at++] ?? escapeText(plainText(code))}</code></pre>`
  })
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const plainText = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => characters[name] ?? '')
