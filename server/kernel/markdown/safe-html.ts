import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'
import { alertClasses } from './alerts'

const allowedTags =
  'h3 h4 h5 h6 p br hr ul ol li blockquote pre code em strong b i u s del ins sub sup kbd samp var abbr a img span table thead tbody tr th td dl dt dd details summary'.split(
    ' ',
  )

const allowedAttributes = {
  a: ['href', 'title', 'rel'],
  abbr: ['title'],
  blockquote: ['class'],
  code: ['title'],
  details: ['open'],
  img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
  li: ['class'],
  ol: ['start'],
  p: ['class'],
  pre: ['tabindex'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
}

interface SafeHtmlOptions {
  baseUrl: string
  maxNesting: number
}

/**
 * Returns HTML with only the elements that format text: no scripts, styles, IDs, forms, frames, or script
 * URLs.
 */
export function safeHtml(html: string, { baseUrl, maxNesting }: SafeHtmlOptions): string {
  let openLinks = 0
  const image = (_: string, attributes: Attributes): Tag => {
    const { src = '', alt = '', title = '', width = '', height = '' } = attributes
    const path = src.startsWith(`${baseUrl}/`) ? src.slice(baseUrl.length) : src
    // Pages load images only from their own origin; other images would show as broken.
    if (isPath(path)) {
      return { tagName: 'img', attribs: { src: path, alt, title, width, height, loading: 'lazy' } }
    }
    const text = alt || title || 'Image'
    return openLinks === 0 && isAddress(src) ? link(src, text) : { tagName: 'span', attribs: {}, text }
  }
  return sanitizeHtml(html, {
    allowedTags,
    allowedAttributes,
    allowedClasses: { li: ['task'], blockquote: alertClasses, p: ['alert-title'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: maxNesting,
    onOpenTag: name => {
      if (name === 'a') openLinks++
    },
    onCloseTag: name => {
      if (name === 'a') openLinks--
    },
    transformTags: {
      ...headings,
      a: (_, { href = '', title = '' }) => link(href, undefined, title),
      img: image,
      pre: (tagName, attributes) => ({ tagName, attribs: { ...attributes, tabindex: '0' } }),
      td: cell,
      th: cell,
    },
  })
}

const isPath = (address: string): boolean => /^\/(?![/\\])/.test(address)
const isAddress = (address: string): boolean => /^(https?|mailto):/i.test(address) || isPath(address)

// A relative URL would depend on the page that shows the text.
const link = (href: string, text?: string, title?: string): Tag => ({
  tagName: 'a',
  attribs: isAddress(href) ? { href, rel: 'nofollow noopener', ...(title ? { title } : {}) } : {},
  ...(text === undefined ? {} : { text }),
})

// Levels one and two belong to the page.
const headings = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map(level => [
    `h${level}`,
    sanitizeHtml.simpleTransform(`h${Math.min(level + 2, 6)}`, {}),
  ]),
)

function cell(tagName: string, { style, ...attribs }: Attributes): Tag {
  const align = /^text-align:(left|center|right)$/.exec(style ?? '')?.[1]
  return { tagName, attribs: align ? { ...attribs, align } : attribs }
}
