import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { servedContentType, sniffContentType } from '@/server/kernel/http/content-type'
import { isUtf8Beginning, previewType } from '@/server/kernel/http/inline-type'

/**
 * Returns the headers that say what a file is. Text is plain text whatever it contains, so browsers run none of
 * it. An SVG image is a download, because it can contain scripts.
 */
export async function contentHeaders(name: string, beginning: Buffer): Promise<Record<string, string>> {
  const sniffed = await sniffContentType(beginning)
  if (sniffed === 'image/svg+xml') return headers(sniffed, 'attachment', name)
  const isText = /^text\/|[/+](?:json|xml|javascript)$/.test(sniffed) || sniffed === 'application/xhtml+xml'
  if (isText) {
    const charset = isUtf8Beginning(beginning) ? '; charset=utf-8' : ''
    return headers(`text/plain${charset}`, 'inline', name)
  }
  const type = servedContentType({ name, content_type: sniffed })
  return headers(type, previewType(type) ? 'inline' : 'attachment', name)
}

const headers = (type: string, disposition: 'inline' | 'attachment', name: string) => ({
  'Content-Type': type,
  'Content-Disposition': contentDisposition(disposition, name),
})
