import { type Markup, type Message, write, writeLines } from './message'

const markup: Markup = {
  // The invisible character prevents mentions.
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '@': '@\u200b' },
  link: (url, text) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
}

// A message may have 4,096 characters; the sentence takes less than the rest.
const maxDetails = 3_000

/**
 * Returns what is missing in a URL of Telegram's own Bot API. Other hosts may know the bot and chat themselves.
 * @throws {TypeError} if it is not a URL.
 */
export function telegramUrlProblem(url: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url)
  if (hostname !== 'api.telegram.org') return undefined
  const lacking = [
    ...(/^\/bot\d+(:|%3a)[\w-]+\//i.test(pathname) ? [] : ['the token of the bot']),
    ...(/\/sendMessage\/?$/i.test(pathname) ? [] : ['the method sendMessage']),
    ...(searchParams.get('chat_id') ? [] : ['the id of the chat in chat_id']),
  ]
  if (lacking.length === 0) return undefined
  return `it lacks ${lacking.join(' and ')}; Telegram takes https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`
}

/** Builds a message for `sendMessage` of Telegram's Bot API. The hook's URL names the bot and the chat. */
export function telegramMessage({ sentence, lines }: Message): object {
  const details = writeLines(lines, markup, '\n', maxDetails)
  return {
    text: write(sentence, markup) + (details && `\n\n${details}`),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}
