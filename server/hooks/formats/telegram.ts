import { type Markup, type Message, write, writeLines } from './message'

const markup: Markup = {
  // A zero-width space after "@" prevents mentions.
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '@': '@\u200b' },
  link: (url, text) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
}

// A message can have 4,096 characters; the sentence takes fewer than the remaining 1,096.
const maxDetails = 3_000

/**
 * Returns an error message that lists what is missing from a URL of Telegram's Bot API; undefined if nothing
 * is missing. Accepts all URLs of other hosts, because a relay may add the bot token and the chat ID.
 * @throws {TypeError} if `url` is not a valid URL.
 */
export function telegramUrlProblem(url: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url)
  if (hostname !== 'api.telegram.org') return undefined
  const lacking = [
    ...(/^\/bot\d+(:|%3a)[\w-]+\//i.test(pathname) ? [] : ['the bot token']),
    ...(/\/sendMessage\/?$/i.test(pathname) ? [] : ['the method sendMessage']),
    ...(searchParams.get('chat_id') ? [] : ['the chat ID (chat_id)']),
  ]
  if (lacking.length === 0) return undefined
  return `it is missing ${lacking.join(' and ')}. The format is https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`
}

/**
 * Builds the message for `sendMessage` of Telegram's Bot API. The webhook's URL names the bot and the chat.
 */
export function telegramMessage({ sentence, lines }: Message): object {
  const details = writeLines(lines, markup, '\n', maxDetails)
  return {
    text: write(sentence, markup) + (details && `\n\n${details}`),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}
