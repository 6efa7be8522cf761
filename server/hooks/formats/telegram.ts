import { type Markup, type Message, write, writeLines } from './message'

const markup: Markup = {
  // The invisible character keeps what follows from being a person.
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '@': '@\u200b' },
  link: (url, text) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
}

// Of the 4,096 characters that a message may have, the sentence takes less than the rest.
const maxDetails = 3_000

/** A message for `sendMessage` of Telegram's Bot API; the address of the hook names the bot and the chat. */
export function telegramMessage({ sentence, lines }: Message): object {
  const details = writeLines(lines, markup, '\n', maxDetails)
  return {
    text: write(sentence, markup) + (details && `\n\n${details}`),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}
