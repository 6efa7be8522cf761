import { colors, type Markup, type Message, textAlone, write, writeLines } from './message'

// Slack requires only entities to be escaped. Compatible services such as Mattermost also interpret mentions
// and Markdown, which a zero-width space disables.
const markup: Markup = {
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b', ']': ']\u200b' },
  link: (url, text) => `<${url}|${text}>`,
}

/**
 * Builds the message for a Slack incoming webhook. The webhook's `color` option overrides the color of the
 * event.
 */
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
