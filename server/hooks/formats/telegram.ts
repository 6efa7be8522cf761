import { type Markup, type Message, write, writeLines } from './message'

const markup: Markup = {
  // The invisible character keeps what follows from being a person.
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '@': '@\u200b' },
  link: (url, text) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
}

// Of the 4,096 characters that a message may have, the sentence takes less than the rest.
const maxDetails = 3_000

/**
 * Says what the address of Telegram's own Bot API lacks; other hosts may know bot and chat by themselves.
 * @throws {TypeError} for what is no URL.
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

/** A message for `sendMessage` of Telegram's Bot API; the address of the hook names the bot and the chat. */
export function telegramMessage({ sentence, lines }: Message): object {
  const details = writeLines(lines, markup, '\n', maxDetails)
  return {
    text: write(sentence, markup) + (details && `\n\n${details}`),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}
