import { type Message, type Part, type Tone, textAlone, write } from './message'

const styles: Readonly<Record<Tone, string>> = {
  good: 'good',
  bad: 'attention',
  caution: 'warning',
  neutral: 'default',
}

/**
 * Builds an Adaptive Card for workflows and incoming webhooks of Microsoft Teams. The card consists of text
 * runs, in which Markdown has no effect.
 */
export function teamsMessage({ sentence, lines, url, tone }: Message): object {
  const title = write(sentence, textAlone)
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: title,
    body: [
      { type: 'Container', style: styles[tone], bleed: true, items: [block(sentence)] },
      ...lines.map(line => block(line)),
    ],
    ...(url && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] }),
  }
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  }
  return { type: 'message', summary: title, attachments: [attachment] }
}

const block = (parts: readonly Part[]): object => ({
  type: 'RichTextBlock',
  inlines: parts.map(({ text, url }) => ({
    type: 'TextRun',
    text,
    ...(url && { selectAction: { type: 'Action.OpenUrl', url } }),
  })),
})
