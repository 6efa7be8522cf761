/** Where a file of a repository is, for the relative addresses in it. */
export interface FileLocation {
  /** Path of pages of files, such as `/ada/engine/src/branch/main`. */
  links: string
  /** Path of raw files, such as `/ada/engine/raw/branch/main`. */
  raw: string
  /** Folder of the file without slashes at its ends; empty for the root. */
  folder: string
}

/** Prefix of all identifiers in a rendered file, so that none can be one of the page. */
export const idPrefix = 'user-content-'

/** Returns an identifier with the prefix; undefined if the text cannot be one. */
export function prefixedId(id: string): string | undefined {
  if (!/^[^\s\0]{1,300}$/.test(id)) return undefined
  return id.startsWith(idPrefix) ? id : `${idPrefix}${id}`
}

const markdownFile = /\.(?:md|markdown|mdown|mkdn?|mdwn)$/i
const maxLength = 4096

/**
 * Returns the address for a link in a file: paths of pages of the site, other absolute addresses as they are, `#id` with the prefix, and
 * everything else as a path in the repository, from its root if it begins with a slash. Undefined for addresses that
 * run scripts or whose site would depend on the page.
 */
export function linkInFile(
  address: string,
  { links, folder }: FileLocation,
  baseUrl: string,
): string | undefined {
  const href = plain(address)
  const own = pathOnSite(href, baseUrl)
  if (own !== undefined) return own
  if (href.startsWith('#')) return fragment(href, true)
  if (isAbsolute(href)) return /^(?:https?|mailto):/i.test(href) ? href : undefined
  const parts = pathOf(href, folder)
  if (!parts) return undefined
  const { path, query, hash } = parts
  return `${links}${path}${query}${fragment(hash, markdownFile.test(path))}`
}

/**
 * Returns the path of an image in a file if it is in the repository, or the path of one of the site; otherwise
 * undefined.
 */
export function imageInFile(
  address: string,
  { raw, folder }: FileLocation,
  baseUrl: string,
): string | undefined {
  const src = plain(address)
  const own = pathOnSite(src, baseUrl)
  if (own !== undefined) return own
  if (src.startsWith('#') || isAbsolute(src)) return undefined
  const path = pathOf(src, folder)?.path
  return path && `${raw}${path}`
}

// Browsers ignore these characters in addresses.
const plain = (address: string): string =>
  address
    .slice(0, maxLength)
    .replace(/[\t\n\r]/g, '')
    .trim()

function pathOnSite(address: string, baseUrl: string): string | undefined {
  const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : ''
  return /^\/(?![/\\])/.test(path) ? path : undefined
}

const isAbsolute = (address: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(address)

function fragment(hash: string, isPrefixed: boolean): string {
  const id = hash.slice(1)
  if (!id) return ''
  return isPrefixed ? `#${prefixedId(id) ?? ''}` : hash
}

function pathOf(address: string, folder: string): { path: string; query: string; hash: string } | undefined {
  // Browsers read a backslash as a slash, and two slashes as the beginning of another site.
  if (!address || /^[/\\]{2}/.test(address) || address.startsWith('\\')) return undefined
  const [beforeHash = '', ...afterHash] = address.split('#')
  const [path = '', ...afterQuery] = beforeHash.split('?')
  const names = path.startsWith('/') ? [] : folder.split('/').filter(name => name !== '')
  for (const part of path.split('/')) {
    const name = decoded(part)
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return {
    path: names.map(name => `/${encodeURIComponent(name.toWellFormed())}`).join(''),
    query: afterQuery.length > 0 ? `?${afterQuery.join('?')}` : '',
    hash: afterHash.length > 0 ? `#${afterHash.join('#')}` : '',
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
