import { type Markup, type Message, plain, write, writeLines } from './message'

const html: Markup = {
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  link: (url, text) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
}

/** Builds the content of an `m.room.message` event for Matrix. The message never triggers mentions. */
export function matrixMessage({ sentence, lines }: Message): object {
  const details = writeLines(lines, html, '<br>')
  const plainDetails = writeLines(lines, plain)
  return {
    msgtype: 'm.notice',
    body: write(sentence, plain) + (plainDetails && `\n${plainDetails}`),
    format: 'org.matrix.custom.html',
    formatted_body: write(sentence, html) + (details && `<br>${details}`),
    'm.mentions': {},
  }
}

/**
 * Returns the URL of a Matrix message: the webhook's URL followed by an ID by which the server recognizes
 * retries.
 */
export function matrixUrl(address: string, transactionId: string): string {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(transactionId)}`
  return url.href
}
