import sanitizeHtml, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { alertClasses } from './alerts'
import { type FileLocation, imageInFile, linkInFile, prefixedId } from './file-addresses'

const allowedTags =
  'h3 h4 h5 h6 p br hr ul ol li blockquote pre code em strong b i u s del ins sub sup kbd samp var abbr a img span table thead tbody tr th td dl dt dd details summary'.split(
    ' ',
  )
const allowedInFiles =
  'div picture source figure figcaption caption tfoot mark small strike tt q cite dfn wbr ruby rt rp'.split(
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
  pre: ['tabindex', 'data-language'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
}
const attributesInFiles = {
  ...allowedAttributes,
  '*': ['id', 'align'],
  a: [...allowedAttributes.a, 'aria-label'],
  source: ['srcset', 'media', 'type'],
  table: ['width'],
  td: [...allowedAttributes.td, 'valign', 'width'],
  th: [...allowedAttributes.th, 'valign', 'width'],
}
const allowedClasses = { li: ['task'], blockquote: alertClasses, p: ['alert-title'] }
const classesInFiles = { ...allowedClasses, a: ['anchor'], ol: ['footnotes'] }

interface SafeHtmlOptions {
  baseUrl: string
  maxNesting: number
  /** Whether code blocks keep the name of their grammar. */
  hasLanguages?: boolean | undefined
  /** Where the text is, if it is a file of a repository. It then also keeps its identifiers, with a prefix. */
  file?: FileLocation
}

/**
 * Returns HTML with only the elements that format text: no scripts, styles, forms, frames, script URLs, or
 * identifiers that could be those of the page.
 */
export function safeHtml(html: string, { baseUrl, maxNesting, hasLanguages, file }: SafeHtmlOptions): string {
  let openLinks = 0
  const linkTo = (href: string): string | undefined => {
    if (file) return linkInFile(href, file, baseUrl)
    // A relative URL would depend on the page that shows the text.
    return isAddress(href) ? href : undefined
  }
  // Pages load images only from their own origin; other images would show as broken.
  const imageAt = (src: string): string | undefined => {
    if (file) return imageInFile(src, file, baseUrl)
    const path = src.startsWith(`${baseUrl}/`) ? src.slice(baseUrl.length) : src
    return isPath(path) ? path : undefined
  }
  const image = (_: string, { src = '', ...attributes }: Attributes): Tag => {
    const { alt = '', title = '', width = '', height = '', ...rest } = attributes
    const path = imageAt(src)
    if (path !== undefined)
      return { tagName: 'img', attribs: { ...rest, src: path, alt, title, width, height, loading: 'lazy' } }
    const text = alt || title || 'Image'
    const href = openLinks === 0 ? linkTo(src) : undefined
    return href === undefined ? { tagName: 'span', attribs: {}, text } : { ...link(href), text }
  }
  const common: IOptions = {
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: maxNesting,
    onOpenTag: name => {
      if (name === 'a') openLinks++
    },
    onCloseTag: name => {
      if (name === 'a') openLinks--
    },
  }
  const transformTags: NonNullable<IOptions['transformTags']> = {
    ...headings,
    a: (_, { href = '', ...rest }) => link(linkTo(href), rest),
    img: image,
    pre: (tagName, attributes) => codeBlock(tagName, attributes, hasLanguages),
    td: cell,
    th: cell,
  }
  if (!file)
    return sanitizeHtml(html, { ...common, allowedTags, allowedAttributes, allowedClasses, transformTags })
  return sanitizeHtml(html, {
    ...common,
    selfClosing: [...sanitizeHtml.defaults.selfClosing, 'source', 'wbr'],
    allowedTags: [...allowedTags, ...allowedInFiles],
    allowedAttributes: attributesInFiles,
    allowedClasses: classesInFiles,
    transformTags: {
      ...transformTags,
      source: (_, attributes) => source(attributes, imageAt),
      '*': identified,
    },
  })
}

const isPath = (address: string): boolean => /^\/(?![/\\])/.test(address)
const isAddress = (address: string): boolean => /^(https?|mailto):/i.test(address) || isPath(address)

const keptOfLinks = ['id', 'name', 'class', 'aria-label']

function link(href: string | undefined, { title, ...rest }: Attributes = {}): Tag {
  const kept = Object.entries(rest).filter(([name]) => keptOfLinks.includes(name))
  const attribs: Attributes = Object.fromEntries(kept)
  if (href === undefined) return { tagName: 'a', attribs }
  const where: Attributes = href.startsWith('#') ? { href } : { href, rel: 'nofollow noopener' }
  return { tagName: 'a', attribs: { ...attribs, ...where, ...(title ? { title } : {}) } }
}

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

function codeBlock(tagName: string, attributes: Attributes, hasLanguages = false): Tag {
  const { 'data-language': language, ...rest } = attributes
  const isKept = hasLanguages && language !== undefined && /^[a-z\d-]{1,40}$/.test(language)
  return { tagName, attribs: { ...rest, tabindex: '0', ...(isKept ? { 'data-language': language } : {}) } }
}

const maxCandidates = 10
const candidate = /^(\S{1,2000})(?:\s+(\d{1,5}(?:\.\d{1,3})?[wx]))?$/

/** Returns a source of a picture whose images are all in the repository; otherwise one without effect. */
function source({ srcset = '', ...rest }: Attributes, imageAt: (src: string) => string | undefined): Tag {
  const kept = srcset.split(',', maxCandidates).map(each => {
    const [, src, size = ''] = candidate.exec(each.trim()) ?? []
    const path = src && imageAt(src)
    return path && `${path} ${size}`.trim()
  })
  // Browsers ignore a source without images.
  return { tagName: 'source', attribs: kept.every(each => each) ? { ...rest, srcset: kept.join(', ') } : {} }
}

/** Gives an element its identifier with the prefix of all identifiers in files. */
function identified(tagName: string, { id, name, ...rest }: Attributes): Tag {
  const own = id ?? name
  const prefixed = own === undefined ? undefined : prefixedId(own)
  return { tagName, attribs: prefixed === undefined ? rest : { ...rest, id: prefixed } }
}
