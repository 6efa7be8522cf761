import { colors, type Markup, type Message, textAlone, write, writeLines } from './message'

const special = Array.from('\\*_~`|[]()<>@:#-')

const markup: Markup = {
  escapes: Object.fromEntries(special.map(letter => [letter, `\\${letter}`])),
  link: (url, text) => `[${text}](${url})`,
}

const maxTitle = 256
const maxDescription = 4_096

/** Builds the message for a Discord webhook: a single embed without mentions. */
export function discordMessage({ sentence, lines, url, tone, sender }: Message): object {
  const description = writeLines(lines, markup, '\n', maxDescription)
  return {
    embeds: [
      {
        author: {
          name: sender.text,
          ...(sender.url && { url: sender.url }),
          ...(sender.avatar && { icon_url: sender.avatar }),
        },
        title: write(sentence, { ...markup, link: textAlone.link }, maxTitle),
        ...(url && { url }),
        ...(description && { description }),
        color: Number.parseInt(colors[tone], 16),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}
