import { colors, type Markup, type Message, textAlone, write, writeLines } from './message'

// Slack reads entities alone. What takes its messages too, such as Mattermost, also knows mentions and Markdown, which an
// invisible character keeps from being any.
const markup: Markup = {
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b', ']': ']\u200b' },
  link: (url, text) => `<${url}|${text}>`,
}

/** A message for an incoming webhook of Slack; a `color` among the options goes before the event's own. */
export function slackMessage(
  { sentence, lines, tone }: Message,
  { channel, username, icon_url, color }: Record<string, string>,
): object {
  const text = write(sentence, markup)
  const details = writeLines(lines, markup)
  const fallback = writeLines(lines, { ...markup, link: textAlone.link })
  return {
    ...(channel && { channel }),
    ...(username && { username }),
    ...(icon_url && { icon_url }),
    text,
    ...(details && {
      attachments: [{ color: color || `#${colors[tone]}`, text: details, fallback }],
    }),
    link_names: 0,
    unfurl_links: false,
  }
}
